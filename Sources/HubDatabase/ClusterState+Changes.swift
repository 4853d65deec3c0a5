import Dispatch
package import HubData
import HubPostgres
import HubVocabulary

// Changes of nodes by operators.
extension ClusterState {
    /// Looks at the lead again after so long.
    private static let pause: DispatchTimeInterval = .milliseconds(300)

    /// Has the node that leads hand over to one that waits, and returns when that leads; blocks.
    ///
    /// - Parameters:
    ///   - node: the name of its machine, or its address where that is not enough; nil for the one
    ///     that is best placed.
    ///   - options: the database.
    ///   - seconds: how long it may take.
    /// - Returns: the node, and the number of its lead.
    /// - Throws: `.database`.
    package static func move(
        to node: String?,
        in options: DatabaseOptions,
        within seconds: Int
    ) throws(ServerError) -> (node: String, term: UInt64) {
        let state = try read(in: options)
        let named = try node.map { name throws(ServerError) in
            try state.one(name) { $0.standing == .standby }
        }
        guard state.left > 0 else {
            throw .database(reason: "no node leads: one that waits takes the lead by itself")
        }
        guard let chosen = named ?? state.bestStandby else {
            throw .database(reason: "no other node waits: see 'belfry cluster status'")
        }
        let node = node ?? chosen.called
        let database = try options.open()
        try ServerError.ofDatabase { () throws(PostgresError) in
            try database.promiseLead(to: chosen.run)
        }
        let deadline = DispatchTime.now() + .seconds(seconds)
        while DispatchTime.now() < deadline {
            let now = try read(in: options)
            let leader = now.nodes.first { $0.standing == .leads }
            if leader?.run == chosen.run { return (node, now.term) }
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + pause)
        }
        try ServerError.ofDatabase { () throws(PostgresError) in
            try database.withdrawLead(from: chosen.run)
        }
        throw .database(
            reason: "\(node) does not lead after \(seconds) s: see 'belfry cluster status'"
        )
    }

    /// Forgets a run that ended without a word.
    ///
    /// - Throws: `.database`, also for a node that is there.
    package static func forget(
        _ node: String,
        in options: DatabaseOptions
    ) throws(ServerError) {
        let chosen = try read(in: options).one(node) { $0.standing == .silent }
        let database = try options.open()
        try ServerError.ofDatabase { () throws(PostgresError) in try database.forget(chosen.run) }
    }

    private func one(
        _ node: String,
        _ isMeant: (Node) -> Bool
    ) throws(ServerError) -> Node {
        let named = nodes.filter { $0.name == node || $0.address == node }
        guard let first = named.first else {
            throw .database(reason: "there is no node '\(node)': see 'belfry cluster status'")
        }
        let meant = named.filter(isMeant)
        guard let chosen = meant.first else {
            throw .database(reason: "\(node) is '\(first.standing.rawValue)'")
        }
        guard meant.count == 1 else {
            let addresses = meant.map(\.address).joined(separator: ", ")
            throw .database(reason: "'\(node)' is more than one: give an address of \(addresses)")
        }
        return chosen
    }
}
