package import HubModel
package import HubVocabulary

/// The bulk jobs of a hub.
///
/// One job is carried out at a time, the oldest first. Source: REST §13.
package final class JobTable: GroupPart {
    private struct Change {
        var id: JobID
        var before: BulkJob?
        var after: BulkJob?
    }

    private var jobs: [JobID: BulkJob] = [:]
    private var changes: [Change] = []
    /// Imports that the hub's end interrupted and that are not failed yet.
    private(set) var interrupted: [JobID] = []
    /// The job that was handed out to be carried out.
    private var current: JobID?

    /// Takes a job from the store: an export that was cut off begins again, an import that had
    /// begun counts as interrupted, since its lines must not be carried out twice.
    func load(_ stored: BulkJob) {
        var job = stored
        if job.report.status == .running {
            if job.request.kind == .exportRegistrations {
                job.report = JobReport(status: .started)
            } else {
                interrupted.append(job.id)
            }
        }
        jobs[job.id] = job
    }

    // MARK: Changes

    /// How many changes the group holds.
    var touchedCount: Int { changes.count }

    /// Inserts or replaces a job.
    func put(_ job: BulkJob) {
        changes.append(Change(id: job.id, before: jobs[job.id], after: job))
        jobs[job.id] = job
    }

    /// Fails the imports that the hub's end interrupted.
    func failInterrupted(now: Timestamp) {
        for id in interrupted {
            guard var job = jobs[id] else { continue }
            job.report.status = .failed
            job.report.failure =
                "The hub was restarted behind at least \(job.report.done + job.report.failed) lines"
                + "; they are not carried out again. Import the rest with another job."
            job.updated = now
            put(job)
        }
    }

    /// Forgets a job.
    func remove(_ id: JobID) {
        changes.append(Change(id: id, before: jobs[id], after: nil))
        jobs[id] = nil
    }

    var storedChanges: [StoredChange] {
        changes.map { change in change.after.map { .putJob($0) } ?? .removeJob(change.id) }
    }

    func settle(_ outcome: GroupOutcome, _ news: inout GroupNews) {
        if outcome.areChangesDurable { keep() } else { revert() }
    }

    private func keep() {
        for change in changes where change.after?.report.status.isFinal != false {
            if current == change.id { current = nil }
            interrupted.removeAll { $0 == change.id }
        }
        changes.removeAll(keepingCapacity: true)
    }

    private func revert() {
        for change in changes.reversed() { jobs[change.id] = change.before }
        changes.removeAll(keepingCapacity: true)
    }

    // MARK: Queries

    /// A job.
    package subscript(id: JobID) -> BulkJob? { jobs[id] }

    /// How many there are.
    var count: Int { jobs.count }

    /// How many are not at their end.
    var openCount: Int { jobs.values.count { !$0.report.status.isFinal } }

    /// Every job, the newest first.
    package var all: [BulkJob] { jobs.values.sorted { $0.id < $1.id } }

    /// The oldest job that is at its end.
    var oldestFinal: JobID? {
        jobs.values.lazy.filter(\.report.status.isFinal).map(\.id).max()
    }

    /// The job that is to be carried out now, once; nil while another one is, or when none waits.
    func takeNext() -> BulkJob? {
        guard current == nil else { return nil }
        let next = jobs.values.lazy.filter { $0.report.status == .started }.map(\.id).max()
        current = next
        return next.flatMap { jobs[$0] }
    }
}
