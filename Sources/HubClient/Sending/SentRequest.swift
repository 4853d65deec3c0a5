/// A request as it went to the hub, for those who show or record it; without its token.
package struct SentRequest: Equatable, Sendable {
    /// The method.
    package var method: String
    /// The whole URL.
    package var url: String
    /// Headers in order, with `Authorization` cut to its scheme.
    package var headers: [ReceivedNotification.Header]
    /// The body; empty for none.
    package var body: [UInt8]
    /// The status that came; nil when nobody answered.
    package var status: Int?

    /// A request of its parts.
    package init(
        method: String,
        url: String,
        headers: [ReceivedNotification.Header],
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
