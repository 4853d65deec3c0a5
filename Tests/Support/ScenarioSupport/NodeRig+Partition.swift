import Foundation
import HubTestSupport

// Machines that do not reach each other for a while.
extension NodeRig {
    /// Who does not reach whom.
    enum Partition: CaseIterable {
        case leaderAndDatabase
        case standbyAndDatabase
        case bothAndDatabase
        case leaderAndBalancer
        case standbyAndBalancer
        case bothNodes
    }

    /// The ways in which nothing passes.
    enum Ways: CaseIterable {
        case both
        case there
        case back

        func cuts(
            _ one: PartedNetwork.Machine,
            _ other: PartedNetwork.Machine
        ) -> Set<PartedNetwork.Cut> {
            let there = PartedNetwork.Cut(from: one, to: other)
            let back = PartedNetwork.Cut(from: other, to: one)
            return switch self {
            case .both: [there, back]
            case .there: [there]
            case .back: [back]
            }
        }
    }

    /// Looks, a tenth of a second apart, that say who leads.
    private static let looksAlike = 30

    /// What a partition led to.
    struct Outcome {
        /// Whether the other node leads afterwards.
        var hasMoved: Bool
        /// From the end of the partition until sends are answered and delivered, looks included.
        var pause: Duration
    }

    /// Parts machines for some seconds under load, and waits until one node leads, the other stands
    /// by, and everything goes on.
    func part(_ partition: Partition, _ ways: Ways, seconds: Int) async throws -> Outcome {
        try await load.work(answers: 3, delivers: true)
        let before = leader
        try await network?.part(cuts(partition, ways), seconds: seconds)
        let start = ContinuousClock.now
        try await settle()
        load.reconnect()
        try await load.work(answers: 3, delivers: true)
        return Outcome(hasMoved: leader != before, pause: ContinuousClock.now - start)
    }

    private func cuts(_ partition: Partition, _ ways: Ways) -> Set<PartedNetwork.Cut> {
        let machines = [PartedNetwork.Machine.a, .b]
        let (first, second) = (machines[leader], machines[1 - leader])
        return switch partition {
        case .leaderAndDatabase: ways.cuts(first, .database)
        case .standbyAndDatabase: ways.cuts(second, .database)
        case .bothAndDatabase:
            ways.cuts(first, .database).union(ways.cuts(second, .database))
        case .leaderAndBalancer: ways.cuts(.balancer, first)
        case .standbyAndBalancer: ways.cuts(.balancer, second)
        case .bothNodes: ways.cuts(first, second)
        }
    }

    /// Waits until one node leads and the other stands by, and both stay so: one that was cut off
    /// does not know at once that it leads no more.
    func settle() async throws {
        var alike = 0
        try await eventually(
            "one node that leads, and one that stands by",
            within: .seconds(90),
            every: .milliseconds(100)
        ) {
            try await startEnded()
            let roles = nodes.map(\.role)
            guard let leading = roles.firstIndex(of: .leads), roles.contains(.standsBy) else {
                alike = 0
                return false
            }
            alike = leader == leading ? alike + 1 : 0
            leader = leading
            return alike >= Self.looksAlike
        }
        try await balancerFindsNode()
    }

    /// Starts nodes that ended by themselves, as a service manager does.
    func startEnded() async throws {
        for node in nodes where node.program.hasEnded {
            let code = try await node.program.exitCode()
            guard code == 1 else {
                throw RigLoad.Failed(reason: "\(code): \(node.program.errors.events)")
            }
            try node.startAgain()
        }
    }
}
