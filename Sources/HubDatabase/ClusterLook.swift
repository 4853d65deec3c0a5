import Dispatch
import HubPostgres
import HubVocabulary
import Synchronization

/// Looks at the nodes of a database for operators, once a second at most however many ask.
final class ClusterLook: Sendable {
    /// An operator, who is answered once.
    private final class Waiting: Sendable {
        private let continuation: Mutex<CheckedContinuation<ClusterReport, Never>?>

        init(_ continuation: CheckedContinuation<ClusterReport, Never>) {
            self.continuation = Mutex(continuation)
        }

        /// Whether the operator has the answer already.
        var isAnswered: Bool { continuation.withLock { $0 == nil } }

        func answer(_ report: ClusterReport) {
            let first = continuation.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            first?.resume(returning: report)
        }
    }

    private let database: PostgresDatabase
    private let shown: String
    private let keeper: LeadKeeper
    /// The database is waited for here.
    private let queue = DispatchQueue(label: "cluster")
    private let last = Mutex<(at: ContinuousClock.Instant, report: ClusterReport)?>(nil)

    private static let pause: Duration = .seconds(1)
    /// An operator waits so many seconds at most.
    private static let patience = 2

    /// Looks for a node whose lead `keeper` has.
    init(_ database: PostgresDatabase, shown: String, _ keeper: LeadKeeper) {
        (self.database, self.shown, self.keeper) = (database, shown, keeper)
    }

    /// Returns what was seen last, or looks again; a fault where the database takes too long.
    func report() async -> ClusterReport {
        await withCheckedContinuation { continuation in
            let waiting = Waiting(continuation)
            // Those who were told that it is silent cost no look behind.
            queue.async { [self] in if !waiting.isAnswered { waiting.answer(newest()) } }
            let end = DispatchTime.now() + .seconds(Self.patience)
            DispatchQueue.global().asyncAfter(deadline: end) { [self] in waiting.answer(silent()) }
        }
    }

    private func silent() -> ClusterReport {
        var report = ClusterReport(database: shown, leads: keeper.leads)
        report.fault = "it did not answer within \(Self.patience) s"
        return report
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
