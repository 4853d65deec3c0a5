/// The progress of a job, reported by the thread that carries it out.
package struct JobReport: Hashable, Sendable {
    /// `.running`, or how it ended.
    package var status: JobStatus
    /// Lines that were carried out, or registrations that were written.
    package var done: UInt64
    /// Lines that were refused.
    package var failed: UInt64
    /// Of 1,000 parts; 1,000 only when it is completed.
    package var permille: UInt16
    /// Why it failed; empty otherwise.
    package var failure: String

    /// Makes a report.
    package init(
        status: JobStatus,
        done: UInt64 = 0,
        failed: UInt64 = 0,
        permille: UInt16 = 0,
        failure: String = ""
    ) {
        self.status = status
        self.done = done
        self.failed = failed
        self.permille = permille
        self.failure = failure
    }
}
