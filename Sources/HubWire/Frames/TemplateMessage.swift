/// A template as a device registers it.
public struct TemplateMessage: Equatable, Sendable {
    /// Name of the template, at most `templateNameBytesMax` bytes.
    public var name: String
    /// Expiry expression, at most `templateExpiryBytesMax` bytes.
    public var expiry: String
    /// Headers, at most `templateHeadersMax`.
    public var headers: [NotificationHeader]
    /// Body, at most `templateBytesMax` bytes.
    public var body: [UInt8]

    /// A template; the name may be empty.
    public init(
        name: String,
        expiry: String = "",
        headers: [NotificationHeader] = [],
        body: [UInt8]
    ) {
        self.name = name
        self.expiry = expiry
        self.headers = headers
        self.body = body
    }
}
