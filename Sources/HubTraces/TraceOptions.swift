/// Where traces go, and how many requests are traced.
package struct TraceOptions: Sendable {
    /// The share of requests that are traced when nothing else is said.
    package static let usualRatio = 0.01

    /// Where the collector takes spans, as OTLP over HTTP; nil for no traces.
    package var url: String?
    /// The share of requests without a caller's decision that are traced: 0 to 1.
    package var ratio = Self.usualRatio

    /// No traces.
    package init() {}
}
