import HubDirectory

/// Where what a writer says goes in the simulation; nowhere, once its process has ended.
struct SimulatedPosts: WriterOutput {
    unowned let simulation: Simulation
    let hub: SimulatedHub

    func perform(_ action: DirectoryAction) {
        if simulation.hub === hub { simulation.perform(action, hub) }
    }
}
