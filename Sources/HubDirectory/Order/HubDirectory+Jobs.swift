import HubModel
import HubVocabulary

// Bulk jobs: kept and handed out here, carried out by the owner in small commands like those of any
// caller, so that no job holds the writer up. Source: REST §13.

extension HubDirectory {
    /// Keeps a job; the oldest finished one goes when there are too many.
    func create(_ request: JobRequest, now: Now) throws(Refusal) -> BulkJob {
        guard jobs.openCount < limits.jobsOpenMax else {
            throw .tooMany(what: "jobs that are not finished", limit: limits.jobsOpenMax)
        }
        while jobs.count >= limits.jobsKeptMax, let oldest = jobs.oldestFinal {
            jobs.remove(oldest)
        }
        var id = JobID.make(now: now.time, random: &random)
        while jobs[id] != nil { id = JobID.make(now: now.time, random: &random) }
        let job = BulkJob(id: id, request: request, created: now.time)
        jobs.put(job)
        return job
    }

    /// Notes how far a job is; what ended stays as it ended.
    func note(_ report: JobReport, of id: JobID, now: Now) throws(Refusal) -> BulkJob {
        guard var job = jobs[id] else { throw .jobNotFound }
        guard !job.report.status.isFinal else { return job }
        job.report = report
        job.report.failure = String(report.failure.prefix(limits.jobFailureCharactersMax))
        job.updated = max(job.updated, now.time)
        jobs.put(job)
        return job
    }

    /// Fails the imports that the hub's end interrupted.
    func failInterruptedJobs(now: Now) {
        for id in jobs.interrupted {
            guard var job = jobs[id] else { continue }
            job.report.status = .failed
            job.report.failure =
                "The hub was restarted behind at least \(job.report.done + job.report.failed) lines"
                + "; they are not carried out again. Import the rest with another job."
            job.updated = now.time
            jobs.put(job)
        }
    }

    /// Turns to what the hub's end interrupted, then to the next job; not at once again after the
    /// store refused something.
    func tickJobs(now: Now) {
        guard !isStopping, now.instant >= scheduling.notBefore else { return }
        if jobs.interrupted.isEmpty {
            if pending == nil { handOutJob() }
        } else {
            queue.append(.failInterruptedJobs)
        }
    }

    /// Hands out the next job, when no other is being carried out.
    func handOutJob() {
        guard !isStopping, !jobs.isTouched, jobs.interrupted.isEmpty, let job = jobs.takeNext()
        else { return }
        actions.append(.runJob(job))
    }
}
