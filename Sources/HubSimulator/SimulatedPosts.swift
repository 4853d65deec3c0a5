import HubDirectory

/// Where what a writer says goes in the simulation; nowhere, once its process has ended.
struct SimulatedPosts: WriterOutput {
    unowned let machine: Machine
    let hub: SimulatedHub

    func perform(_ action: DirectoryAction) {
        if machine.runs(hub) { machine.perform(action, hub) }
    }
}
