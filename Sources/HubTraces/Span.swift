import HubModel
import HubVocabulary

/// A part of a trace that has ended.
///
/// It has no payload, no handle and no key. Source: OTLP, `Span`.
struct Span: Sendable {
    /// The side of an exchange, by its number in OTLP.
    enum Kind: Int {
        case within = 1
        case server = 2
        case client = 3
    }

    /// A fact of a span.
    enum Value {
        case text(String)
        case number(Int)
    }

    let trace: (high: UInt64, low: UInt64)
    let id: UInt64
    /// Nil where the trace begins.
    let parent: UInt64?
    let name: String
    let kind: Kind
    /// Nanoseconds since 1970.
    let start: UInt64
    let end: UInt64
    let facts: [(name: String, value: Value)]
    let hasFailed: Bool

    /// A request itself, as its caller sees it.
    init(
        of request: RequestTrace,
        _ name: String,
        until end: Instant,
        _ facts: [(name: String, value: Value)],
        hasFailed: Bool
    ) {
        trace = request.id
        id = request.span
        parent = request.parent
        self.name = name
        kind = .server
        start = request.unixNanoseconds(at: request.began)
        self.end = max(start, request.unixNanoseconds(at: end))
        self.facts = facts
        self.hasFailed = hasFailed
    }

    /// A step below a request.
    init(
        below request: RequestTrace,
        id: UInt64,
        _ name: String,
        _ kind: Kind = .within,
        from start: Instant,
        until end: Instant,
        _ facts: [(name: String, value: Value)],
        hasFailed: Bool = false
    ) {
        trace = request.id
        self.id = id
        parent = request.span
        self.name = name
        self.kind = kind
        self.start = request.unixNanoseconds(at: start)
        self.end = max(self.start, request.unixNanoseconds(at: end))
        self.facts = facts
        self.hasFailed = hasFailed
    }
}
