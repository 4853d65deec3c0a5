package import HubVocabulary

/// A send as it arrived, whatever the method and path: headers and body.
package struct SendRequest: Sendable {
    /// Every header in the order received, names in lower case.
    package var headers: [NamedValue]
    /// Whether the send names its handles itself instead of tags.
    package var isDirect: Bool
    /// The handles of a batch; nil takes the one of `ServiceBusNotification-DeviceHandle`.
    package var handles: [[UInt8]]?
    /// The payload, or the property bag of a template send.
    package var body: [UInt8]
    /// The access rule with which the caller signed: idempotency keys belong to it.
    package var rule: String

    /// Makes a request.
    package init(
        headers: [NamedValue],
        isDirect: Bool = false,
        handles: [[UInt8]]? = nil,
        body: [UInt8],
        rule: String = ""
    ) {
        self.headers = headers
        self.isDirect = isDirect
        self.handles = handles
        self.body = body
        self.rule = rule
    }

    /// U+FFFD alone: one client takes the number of a time for that of a character.
    static let unreadable = Array("\u{FFFD}".utf8)

    /// The value of a header without blanks around it; nil when it is absent, blank or unreadable.
    ///
    /// - Throws: `.invalid` when the header is there more than once.
    func value(of header: SendHeader) throws(Refusal) -> [UInt8]? {
        var value: [UInt8]?
        for pair in headers where ASCII.equal(pair.name, header.rawValue.utf8) {
            guard value == nil else {
                throw .invalid(field: header.spelling, reason: "is there more than once")
            }
            value = ASCII.trimmed(pair.value)
        }
        return value?.isEmpty == false && value != Self.unreadable ? value : nil
    }

    /// Whether it goes to handles: with the flag, or with a handle and no tags.
    ///
    /// The second rule keeps a client that names only a handle from sending to every registration.
    ///
    /// - Throws: `.invalid` when a header is there more than once.
    var goesToHandles: Bool {
        get throws(Refusal) {
            if isDirect { return true }
            guard try value(of: .tags) == nil else { return false }
            return try value(of: .deviceHandle) != nil
        }
    }

    /// The first of some headers that is there, with its name.
    func first(
        of headers: [SendHeader]
    ) throws(Refusal) -> (header: SendHeader, value: [UInt8])? {
        for header in headers {
            if let value = try value(of: header) { return (header, value) }
        }
        return nil
    }
}
