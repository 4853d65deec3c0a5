/// Limits of bulk jobs.
package struct JobLimits: Equatable, Sendable {
    /// Bulk jobs of one hub that are not finished; one of them is being carried out.
    package var jobsOpenMax = 16
    /// Bulk jobs that a hub remembers; the oldest finished ones go first.
    package var jobsKeptMax = 100
    /// Bytes of one line of an import; longer ones are refused.
    package var jobLineBytesMax = 65_536
    /// Bytes of what an import reads.
    package var jobInputBytesMax: UInt64 = 4_294_967_296
    /// Bytes of what a job writes, refused lines apart.
    package var jobOutputBytesMax: UInt64 = 4_294_967_296
    /// Characters of why a job failed.
    package var jobFailureCharactersMax = 500
    /// Properties that a caller may note with a job.
    package var jobPropertiesMax = 16
    /// Bytes of the name, and of the value, of each of them.
    package var jobPropertyBytesMax = 1_024
    /// Lines of an import that wait for the hub at once.
    package var jobLinesAtOnce = 64

    /// The defaults.
    package init() {}
}
