/// The hub's refusal of a request.
public struct RefusedRequest: Equatable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The code of the error body, or the status where there was none.
    public var code: Int
    /// The detail of the error body; names the header or field.
    public var detail: String
    /// The sentence of `detail`, without the numbers in front of it and behind it.
    public var reason: String {
        var text = detail[...]
        if text.hasPrefix("SubCode="), let end = text.firstRange(of: ". ") {
            text = text[end.upperBound...]
        }
        if let end = text.firstRange(of: "TrackingId:") { text = text[..<end.lowerBound] }
        return text.isEmpty ? "the answer gives no reason" : String(text)
    }

    /// Seconds to wait, where the hub says so.
    public var retryAfterSeconds: Int?
    /// Whether it may have been accepted all the same: an earlier attempt of the same request got no
    /// answer, or the hub cannot say what became of a line.
    public var followsUnanswered = false

    /// A refusal of its parts.
    public init(status: Int, code: Int, detail: String, retryAfterSeconds: Int? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
    }
}
