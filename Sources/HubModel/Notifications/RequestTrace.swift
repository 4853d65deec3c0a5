package import HubVocabulary

/// A request that is followed over all its steps; in memory only.
///
/// Spans carry its two ids. Source: W3C Trace Context.
package final class RequestTrace: Sendable {
    /// The trace's id: 16 bytes, not all zero.
    package let id: (high: UInt64, low: UInt64)
    /// The request's own span; not zero.
    package let span: UInt64
    /// The caller's span; nil when the trace begins here.
    package let parent: UInt64?
    /// When the request began.
    package let began: Instant
    /// Nanoseconds since 1970 at the start of the monotonic clock, as the request read both.
    private let epoch: UInt64

    /// Makes the trace of a request that begins now.
    package init(id: (high: UInt64, low: UInt64), span: UInt64, parent: UInt64?, now: Now) {
        self.id = id
        self.span = span
        self.parent = parent
        began = now.instant
        epoch = now.time.milliseconds &* 1_000_000 &- now.instant.nanoseconds
    }

    /// Nanoseconds since 1970 at an instant.
    package func unixNanoseconds(at instant: Instant) -> UInt64 { epoch &+ instant.nanoseconds }
}
