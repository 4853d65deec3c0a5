import Dispatch
import HubPostgres
import HubVocabulary
import Synchronization

/// Looks at the nodes of a database for operators, once a second at most however many ask.
final class ClusterLook: Sendable {
    private let database: PostgresDatabase
    private let shown: String
    private let keeper: LeadKeeper
    /// The database is waited for here.
    private let queue = DispatchQueue(label: "cluster")
    private let last = Mutex<(at: ContinuousClock.Instant, report: ClusterReport)?>(nil)

    private static let pause: Duration = .seconds(1)

    /// Looks for a node whose lead `keeper` has.
    init(_ database: PostgresDatabase, shown: String, _ keeper: LeadKeeper) {
        (self.database, self.shown, self.keeper) = (database, shown, keeper)
    }

    /// Returns what was seen last, or looks again.
    func report() async -> ClusterReport {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: newest()) }
        }
    }

    private func newest() -> ClusterReport {
        let known = last.withLock { $0 }
        if let known, known.at.duration(to: .now) < Self.pause { return known.report }
        let report = look()
        last.withLock { $0 = (.now, report) }
        return report
    }

    private func look() -> ClusterReport {
        var report = ClusterReport(database: shown, leads: keeper.leads)
        do throws(PostgresError) {
            let state = try ClusterState.read(database)
            let health = try database.health()
            (report.term, report.leaseMilliseconds) = (state.term, state.left)
            report.nodes = state.nodes.map { node in
                var told = ClusterReport.Node(
                    name: node.name,
                    address: node.address,
                    release: node.release,
                    standing: node.standing,
                    silence: node.silence,
                    isSelf: node.run == keeper.run
                )
                told.copies = node.copies
                return told
            }
            report.standbys = ClusterReport.Standbys(
                synchronousNames: health.synchronousNames,
                connected: Int(health.standbys),
                synchronous: health.synchronous.map { Int($0) }
            )
        } catch {
            report.fault = error.description
        }
        return report
    }
}
