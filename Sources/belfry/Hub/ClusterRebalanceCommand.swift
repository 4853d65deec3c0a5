import ArgumentParser
import CommandTerminal
import HubDatabase

/// `belfry cluster rebalance`.
struct ClusterRebalanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebalance",
        abstract: "Says whether work could lie better on the nodes, and what would do that.",
        usage: "belfry cluster rebalance --data <data> [<options>]",
        discussion: """
            One node leads all hubs of a database, so nothing is moved; the database is only read.

            Examples:
              belfry cluster rebalance --data ./data
            """
    )

    @OptionGroup var place: ClusterPlace

    func run() async throws {
        let state = try await place.use { try ClusterState.read(in: $0) }
        for sentence in state.balance { Terminal.line(sentence) }
    }
}
