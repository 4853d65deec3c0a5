import HubDirectory

/// Keeps what a writer's loop says.
struct KeptActions: WriterOutput {
    private(set) var actions: [DirectoryAction] = []

    mutating func perform(_ action: DirectoryAction) { actions.append(action) }
}
