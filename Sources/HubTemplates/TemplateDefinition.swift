package import HubVocabulary

/// The words of a template registration, as given; compiled once into `SharedTemplate`.
package struct TemplateDefinition: Hashable, Sendable {
    /// At most 200 bytes; may be empty.
    package var name: [UInt8]
    /// JSON object or XML document, at most 8,192 bytes.
    package var body: [UInt8]
    /// Expiry template; empty for none.
    package var expiry: [UInt8]
    /// Priority template (Apple); empty for none.
    package var priority: [UInt8]
    /// WNS, MPNS or APNS headers, values may be expressions; in the order given.
    package var headers: [NamedValue]

    /// Makes a definition.
    package init(
        name: [UInt8],
        body: [UInt8],
        expiry: [UInt8] = [],
        priority: [UInt8] = [],
        headers: [NamedValue] = []
    ) {
        self.name = name
        self.body = body
        self.expiry = expiry
        self.priority = priority
        self.headers = headers
    }
}
