/// A template as a device registers it.
public struct TemplateMessage: Equatable, Sendable {
    /// One header that the hub passes on; both may hold expressions.
    public struct Header: Equatable, Sendable {
        /// Text of the header's name, at most 255 bytes.
        public var name: String
        /// Text of the header's value, at most 255 bytes.
        public var value: String

        /// A header with its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Name of the template, at most `templateNameBytesMax` bytes.
    public var name: String
    /// Expiry expression, at most `templateExpiryBytesMax` bytes.
    public var expiry: String
    /// Headers, at most `templateHeadersMax`.
    public var headers: [Header]
    /// Body, at most `templateBytesMax` bytes.
    public var body: [UInt8]

    /// A template; the name may be empty.
    public init(name: String, expiry: String = "", headers: [Header] = [], body: [UInt8]) {
        self.name = name
        self.expiry = expiry
        self.headers = headers
        self.body = body
    }
}
