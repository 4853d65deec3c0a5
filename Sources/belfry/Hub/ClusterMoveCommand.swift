import ArgumentParser
import CommandTerminal
import HubDatabase

/// `belfry cluster move`.
struct ClusterMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Has the node that leads hand over to one that waits.",
        usage: "belfry cluster move --data <data> [--to <to>] [<options>]",
        discussion: """
            The leader ends in order, with exit code 1, so that systemd starts it again; it waits \
            then. Devices come back by themselves, and nothing that was answered is lost.

            Examples:
              belfry cluster move --data ./data --to node2
              belfry cluster move --data ./data
            """
    )

    @OptionGroup var place: ClusterPlace

    @Option(help: "The node that is to lead: its name or address; by default the best placed.")
    var to: String?

    func run() async throws {
        let next = try await place.use { try ClusterState.move(to: to, in: $0, within: 60) }
        Terminal.line("\(next.node) leads, term \(next.term)")
    }
}
