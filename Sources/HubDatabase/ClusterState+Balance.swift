import HubVocabulary

// The balance between the nodes of a database, and the best of those that wait.
extension ClusterState {
    /// A warm node takes fewer groups sooner than another one reads its registrations.
    static let warmLagMax: UInt64 = 4_096

    /// The node that waits and would serve soonest: a warm one that lacks little, or else that which
    /// lacks least; nil for none.
    package var bestStandby: Node? {
        func rank(_ node: Node) -> (Int, UInt64) {
            let behind = node.copies?.behind ?? .max
            return (node.isWarm && behind <= Self.warmLagMax ? 0 : 1, behind)
        }
        return nodes.filter { $0.standing == .standby }.min { rank($0) < rank($1) }
    }

    /// A node that waits and lacks nothing; nil for none.
    ///
    /// Only a warm one has shown that its own disk took the last group with all of its records.
    var levelStandby: Node? {
        nodes.first { node in
            node.standing == .standby && node.isWarm && node.copies?.behind == 0
                && node.copies?.isAhead == false
        }
    }

    /// Whether work could lie better on the nodes, and why not, in sentences for an operator.
    package var balance: [String] {
        guard let leader = nodes.first(where: { $0.standing == .leads }) else {
            return ["No node leads: one that waits takes the lead when the lease has ended."]
        }
        let rule =
            "\(leader.called) leads all hubs, because one node orders everything of a database. Devices "
            + "and requests come in at every node, and nothing else is to be spread."
        if let ahead = nodes.first(where: { $0.copies?.isAhead == true }) {
            return [
                "The database was set back: \(ahead.called) has seen more than it holds. 'belfry cluster "
                    + "move --to \(ahead.address)' makes it lead, and it begins a new epoch, so that "
                    + "devices are told."
            ]
        }
        guard let best = bestStandby else {
            return [rule, "No other node waits: start one, so that a lead is taken over."]
        }
        let readiness: String
        switch best.copies?.behind {
        case nil: readiness = "has told nothing of its copies yet"
        case 0?:
            readiness =
                best.isWarm
                ? "is level and warm" : "is level, and would read the registrations first"
        case let groups?: readiness = "lacks \(groups) groups, which it would read first"
        }
        return [
            rule,
            "\(best.called) would take over best: it \(readiness). 'belfry cluster move' gives it the "
                + "lead.",
        ]
    }
}

extension ClusterState.Node {
    fileprivate var isWarm: Bool { copies?.isWarm == true }

    /// Its name with its address, since machines of one name occur.
    var called: String { "\(name) (\(address))" }
}
