import Foundation
import HubClient
import HubTestSupport

/// Two nodes of a database behind a front, under a load that knows the front alone.
final class NodeRig {
    /// How a leader ends, or seems to.
    enum End: CaseIterable {
        /// `kill -9`.
        case killed
        /// SIGSTOP, until the other leads; then it goes on.
        case frozen
        /// SIGTERM.
        case told
    }

    private let places = TemporaryFolder()
    private var nodes: [ServedNode] = []
    private let front: Program
    private let load: RigLoad
    private let connection: ConnectionFile
    private(set) var leader = 0
    /// Of runs that have ended.
    private var doubts = 0

    /// Starts everything on a database, and waits until every device is subscribed.
    init(seed: UInt64, on url: String) async throws {
        let first = try ServedNode(url)
        var connection = try await first.leads()
        let second = try ServedNode(url, like: first)
        try await second.standsBy()
        nodes = [first, second]
        let port = UInt16.random(in: 10_000..<16_000) * 2
        connection.connectionStrings.full = connection.connectionStrings.full
            .replacing(":\(connection.rest.port)", with: ":\(port)")
        connection.rest.port = port
        connection.devices.port = port + 1
        let ports = [connection.rest.port, connection.devices.port].map(String.init)
        front = try Program.named(
            "python3",
            [SourceTree.path("Tests/Outside/Rigs/front.py")] + ports
                + nodes.map { "\($0.rest):\($0.devices)" }
        )
        try await front.output.wait(for: "a front that has found the leader") { lines in
            lines.contains { $0.contains("leader") }
        }
        // The authority is the same on every node; this file stays when nodes go.
        let authority = try String(contentsOfFile: connection.ca ?? "", encoding: .utf8)
        try places.write(authority, to: "ca.pem")
        connection.ca = places.file("ca.pem")
        self.connection = connection
        let file = try JSONEncoder().encode(connection)
        try places.write(String(decoding: file, as: UTF8.self), to: "connection.json")
        load = try await RigLoad(seed: seed, folder: places.path)
    }

    /// Ends the leader after some more answers, and has its node stand by again; the time until the
    /// other serves.
    func cycle(_ end: End, answers: Int) async throws -> Duration {
        try await load.work(answers: answers, delivers: true)
        let (old, next) = (nodes[leader], nodes[1 - leader])
        let start = ContinuousClock.now
        switch end {
        case .killed: try await old.kill()
        case .frozen: try await old.freeze()
        case .told: old.program.signal(SIGTERM)
        }
        try await next.leads()
        let elapsed = ContinuousClock.now - start
        leader = 1 - leader
        try await frontFindsLeader()
        load.reconnect()
        switch end {
        case .killed: break
        case .frozen:
            try await load.work(answers: 3, delivers: false)
            old.thaw()
            try await Self.expectEnd(of: old, code: 1)
        case .told: try await Self.expectEnd(of: old, code: 0)
        }
        try old.startAgain()
        try await old.standsBy()
        return elapsed
    }

    /// Waits until the front passes connections on to the leader; a standby refuses them.
    private func frontFindsLeader() async throws {
        let line = #"{"leader": \#(leader)}"#
        try await front.output.wait(for: "a front at node \(leader)") { $0.last == line }
    }

    /// Waits for some more answers, and for a delivery with `delivers`.
    func work(answers: Int, delivers: Bool) async throws {
        try await load.work(answers: answers, delivers: delivers)
    }

    /// Has a leader that lost the lead with its database stand by again; whether there was one.
    func mend() async throws -> Bool {
        guard let ended = nodes.indices.first(where: { nodes[$0].program.hasEnded }) else {
            return false
        }
        leader = 1 - ended
        try await nodes[leader].leads()
        try await frontFindsLeader()
        load.reconnect()
        doubts += doubts(of: nodes[ended])
        try nodes[ended].startAgain()
        try await nodes[ended].standsBy()
        return true
    }

    /// Commits of leaders whose answers were lost.
    var allDoubts: Int { nodes.reduce(doubts) { $0 + doubts(of: $1) } }

    private func doubts(of node: ServedNode) -> Int {
        node.program.errors.events.count { $0.contains("the answer to a commit is lost") }
    }

    private static func expectEnd(of node: ServedNode, code expected: Int32) async throws {
        let code = try await node.program.exitCode()
        guard code != expected else { return }
        throw RigLoad.Failed(reason: "a leader ends with \(code): \(node.program.errors.events)")
    }

    /// Lets the senders end, and waits for everything that they sent.
    func finish() async throws -> KillJournal {
        load.reconnect()
        return try await load.finish(connection)
    }

    /// Asks what became of each notification; what the hub says otherwise in the end.
    func acknowledgements(
        _ journal: KillJournal,
        sampled most: Int
    ) async throws -> (checked: Int, faults: [String]) {
        try await load.acknowledgements(journal, sampled: most, connection)
    }

    /// Ends everything in order.
    func end() async throws {
        try await load.end()
        for node in [nodes[1 - leader], nodes[leader]] {
            let code = try await node.terminate()
            guard code == 0 else { throw RigLoad.Failed(reason: "a node ends with \(code)") }
        }
        // It may have inherited a mask that holds back other signals.
        front.signal(SIGKILL)
        _ = try await front.exitCode()
    }
}
