import ArgumentParser

/// `belfry cluster`.
struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Shows and changes the nodes that share a database.",
        subcommands: [
            ClusterStatusCommand.self, ClusterMoveCommand.self, ClusterRebalanceCommand.self,
            ClusterForgetCommand.self,
        ]
    )
}
