import ArgumentParser
import CommandTerminal
import HubDatabase

/// `belfry cluster forget`.
struct ClusterForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forgets a node that ended without a word and does not come back.",
        usage: "belfry cluster forget --data <data> <node> [<options>]",
        discussion: """
            Its row is forgotten after a day in any case.

            Examples:
              belfry cluster forget --data ./data node3
            """
    )

    @OptionGroup var place: ClusterPlace

    @Argument(help: "The silent node: its name, or its address.")
    var node: String

    func run() async throws {
        try await place.use { try ClusterState.forget(node, in: $0) }
        Terminal.line("forgot \(node)")
    }
}
