public import HubWire

/// A request as it went to the hub, for those who show or record it; without its token.
public struct SentRequest: Equatable, Sendable {
    /// The method.
    public var method: String
    /// The whole URL.
    public var url: String
    /// Headers in order, with `Authorization` cut to its scheme.
    public var headers: [NotificationHeader]
    /// The body; empty for none.
    public var body: [UInt8]
    /// The status of the answer; nil when none came.
    public var status: Int?

    /// A request of its parts.
    public init(
        method: String,
        url: String,
        headers: [NotificationHeader],
        body: [UInt8],
        status: Int?
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.status = status
    }
}
