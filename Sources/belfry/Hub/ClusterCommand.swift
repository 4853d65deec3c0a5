import ArgumentParser

/// `belfry cluster`.
struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Shows the nodes that share a database.",
        subcommands: [ClusterStatusCommand.self]
    )
}
