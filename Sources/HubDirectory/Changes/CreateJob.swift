package import HubModel
package import HubVocabulary

/// Keeps a bulk job, which is then carried out; the oldest finished one goes when there are too many.
///
/// Source: REST §13.
package struct CreateJob: HubChange {
    /// The request.
    package let request: JobRequest

    /// Keeps what a request says.
    package init(_ request: JobRequest) { self.request = request }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<BulkJob> {
        PlannedAnswer { () throws(Refusal) in
            let (jobs, limits) = (hub.jobs, hub.terms.limits)
            guard jobs.openCount < limits.jobs.jobsOpenMax else {
                throw .tooMany(what: "jobs that are not finished", limit: limits.jobs.jobsOpenMax)
            }
            while jobs.count >= limits.jobs.jobsKeptMax, let oldest = jobs.oldestFinal {
                jobs.remove(oldest)
            }
            var id = hub.identifiers.job(now: now.time)
            while jobs[id] != nil { id = hub.identifiers.job(now: now.time) }
            let job = BulkJob(id: id, request: request, created: now.time)
            jobs.put(job)
            return job
        }
    }
}
