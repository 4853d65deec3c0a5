import Foundation
import HubClient
import HubTestSupport

/// Two nodes of a database behind a balancer, under a load that knows the balancer alone.
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

    private let places = ScenarioFolder()
    private(set) var nodes: [ServedNode] = []
    /// Where nodes, balancer and database are machines of their own; nil where they are one.
    let network: PartedNetwork?
    private let balancer: Program
    /// Whether the load goes to the node that does not lead, while there is one.
    private let throughFronts: Bool
    let load: RigLoad
    private let connection: ConnectionFile
    var leader = 0
    /// Of runs that have ended.
    private var doubts = 0

    /// Starts everything on a database, and waits until every device is subscribed.
    init(
        seed: UInt64,
        on url: String,
        throughFronts: Bool = false,
        in network: PartedNetwork? = nil
    ) async throws {
        self.throughFronts = throughFronts
        self.network = network
        let first = try ServedNode(url, in: network?.space(of: .a))
        var connection = try await first.leads()
        let second = try ServedNode(url, like: first, in: network?.space(of: .b))
        try await second.standsBy()
        nodes = [first, second]
        let port = UInt16.random(in: 10_000..<16_000) * 2
        connection.connectionStrings.full = connection.connectionStrings.full
            .replacing(":\(connection.rest.port)", with: ":\(port)")
        connection.rest.port = port
        connection.devices.port = port + 1
        let ports = [connection.rest.port, connection.devices.port].map(String.init)
        balancer = try Program.named(
            "python3",
            [SourceTree.path("Tests/Outside/Rigs/balancer.py")]
                + (throughFronts ? ["--fronts"] : []) + ports
                + zip(nodes, [PartedNetwork.Machine.a, .b]).map { node, machine in
                    let host = network == nil ? "127.0.0.1" : machine.rawValue
                    return "\(host):\(node.rest):\(node.devices)"
                }
        )
        let line = Self.line(to: throughFronts ? 1 : 0, leads: !throughFronts)
        try await balancer.output.wait(for: "a balancer that has found its node") { lines in
            lines.contains(line)
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
        load.rest()
        try await next.leads()
        let elapsed = ContinuousClock.now - start
        leader = 1 - leader
        try await balancerFindsLeader()
        load.reconnect()
        switch end {
        case .killed: break
        case .frozen:
            try await load.work(answers: 3, delivers: false)
            old.thaw()
            load.rest()
            try await Self.expectEnd(of: old, code: 1)
        case .told: try await Self.expectEnd(of: old, code: 0)
        }
        try old.startAgain()
        try await old.standsBy()
        try await balancerFindsFront()
        return elapsed
    }

    /// Waits until the balancer passes connections on to the leader; the other node is away.
    func balancerFindsLeader() async throws {
        // A front that took the lead goes on with what it was given.
        let lines = [true, false].map { Self.line(to: leader, leads: $0) }
        try await balancer.output.wait(for: "a balancer at node \(leader)") { told in
            lines.contains { $0 == told.last }
        }
    }

    /// Waits until the balancer passes connections on to the node that it prefers; both are there.
    func balancerFindsNode() async throws {
        let node = throughFronts ? 1 - leader : leader
        let lines = [true, false].map { Self.line(to: node, leads: $0) }
        try await balancer.output.wait(for: "a balancer at node \(node)") { told in
            lines.contains { $0 == told.last }
        }
    }

    /// Waits until the balancer passes connections on to the node that does not lead, if it is to.
    private func balancerFindsFront() async throws {
        guard throughFronts else { return }
        let line = Self.line(to: 1 - leader, leads: false)
        try await balancer.output.wait(for: "a balancer at node \(1 - leader)") { told in
            told.last == line
        }
        load.reconnect()
    }

    private static func line(to node: Int, leads: Bool) -> String {
        #"{"to": \#(node), "leads": \#(leads)}"#
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
        try await balancerFindsLeader()
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
        balancer.signal(SIGKILL)
        _ = try await balancer.exitCode()
    }
}
