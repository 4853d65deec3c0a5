package import HubModel
package import HubVocabulary

/// Notes how far a bulk job is, from its executor; what ended stays as it ended.
package struct ReportJob: HubChange {
    /// Its id.
    package let id: JobID
    /// How far it is.
    package let report: JobReport

    /// Notes a report of the job with an id.
    package init(_ id: JobID, _ report: JobReport) {
        self.id = id
        self.report = report
    }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<BulkJob> {
        PlannedAnswer { () throws(Refusal) in
            guard var job = hub.jobs[id] else { throw .jobNotFound }
            guard !job.report.status.isFinal else { return job }
            job.report = report
            let failure = report.failure.prefix(hub.terms.limits.jobs.jobFailureCharactersMax)
            job.report.failure = String(failure)
            job.updated = max(job.updated, now.time)
            hub.jobs.put(job)
            return job
        }
    }
}
