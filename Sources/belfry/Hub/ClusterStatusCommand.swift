import ArgumentParser
import CommandTerminal
import HubDatabase
import HubVocabulary

/// `belfry cluster status`.
struct ClusterStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Lists the nodes of a database, and says which one leads.",
        usage: "belfry cluster status --data <data> [<options>]",
        discussion: """
            The database is the folder's, or the one that is named. It is only read, and no node is \
            asked. A standby's copies lack so many groups of changes and notifications; one that is \
            warm has the registrations in memory too.

            Examples:
              belfry cluster status --data ./data
            """
    )

    @OptionGroup var place: ClusterPlace

    @Flag(help: "Prints JSON.")
    var json = false

    private struct Node: Encodable {
        var node: String
        var address: String
        var release: String
        var state: String
        var seenMilliseconds: UInt64
        var groupsBehind: UInt64?
        var isWarm: Bool
        var isAhead: Bool
    }

    private struct Report: Encodable {
        var term: UInt64
        var leaseMilliseconds: UInt64
        var nodes: [Node]
    }

    func run() async throws {
        show(try await place.use { try ClusterState.read(in: $0) })
    }

    private func show(_ state: ClusterState) {
        guard !json else {
            let nodes = state.nodes.map { node in
                Node(
                    node: node.name,
                    address: node.address,
                    release: node.release,
                    state: node.standing.rawValue,
                    seenMilliseconds: node.silence,
                    groupsBehind: node.copies?.behind,
                    isWarm: node.copies?.isWarm == true,
                    isAhead: node.copies?.isAhead == true
                )
            }
            return Terminal.line(
                json: Report(term: state.term, leaseMilliseconds: state.left, nodes: nodes)
            )
        }
        let lease = state.left == 0 ? "no node leads" : "the lease ends in \(state.left) ms"
        Terminal.line("term \(state.term), \(lease)")
        var table = TextTable("state", "node", "address", "release", "seen ms ago", "copies")
        for node in state.nodes {
            let state =
                node.standing == .silent
                ? "silent for \(node.silence / 1_000) s" : node.standing.rawValue
            table.add(
                state,
                node.name,
                node.address,
                node.release,
                "\(node.silence)",
                node.copies?.text ?? ""
            )
        }
        table.show("no node was seen in the last day")
    }
}
