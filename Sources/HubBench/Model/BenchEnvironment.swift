/// The machine, the build and the settings that a report was made with.
package struct BenchEnvironment: Codable, Equatable, Sendable {
    /// The commit of the source tree in which the program lies; nil where there is none.
    package var commit: String?
    /// The processor's name.
    package var processor: String
    /// How many processors there are.
    package var processors: Int
    /// The kernel's release.
    package var kernel: String
    /// Who seals TLS records of the device link: `openssl` or `own`.
    package var records: String
    /// How many writes are given to the kernel: `ring` or `send`.
    package var submission: String
    /// Whether it is a release build.
    package var isOptimized: Bool
    /// How many processes were ready to run at the beginning, on average over a minute.
    package var load: Double?
    /// When it began, RFC 3339 in UTC.
    package var time: String

    /// An environment of its parts.
    package init(
        commit: String?,
        processor: String,
        processors: Int,
        kernel: String,
        records: String,
        submission: String,
        isOptimized: Bool,
        load: Double?,
        time: String
    ) {
        self.commit = commit
        self.processor = processor
        self.processors = processors
        self.kernel = kernel
        self.records = records
        self.submission = submission
        self.isOptimized = isOptimized
        self.load = load
        self.time = time
    }
}
