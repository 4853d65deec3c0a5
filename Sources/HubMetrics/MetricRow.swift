/// One number of a kind of source, and how operators see it.
struct MetricRow<Source>: Sendable {
    /// The name of its series.
    let label: String
    /// The value that tells it apart from others of its label; nil when it is alone.
    let reason: String?
    /// The series' meaning: one sentence.
    let help: String
    let kind: MetricSample.Kind
    /// Where it is counted.
    let field: any PartialKeyPath<Source> & Sendable
    private let value: @Sendable (Source) -> UInt64

    init<Number: BinaryInteger & SendableMetatype>(
        _ kind: MetricSample.Kind,
        _ label: String,
        _ help: String,
        _ field: any KeyPath<Source, Number> & Sendable,
        reason: String? = nil
    ) {
        self.label = label
        self.reason = reason
        self.help = help
        self.kind = kind
        self.field = field
        value = { UInt64(clamping: $0[keyPath: field]) }
    }

    /// The sample of all sources together.
    func sum(
        of sources: [Source],
        _ dimension: (name: String, value: String)? = nil
    ) -> MetricSample {
        MetricSample(
            label: label,
            dimension: dimension ?? reason.map { ("reason", $0) },
            kind: kind,
            value: sources.reduce(0) { $0 + value($1) }
        )
    }
}
