package import HubVocabulary

/// The leader's answer to one send of a bundle.
package struct BundledAnswer: Hashable, Sendable {
    /// The status of HTTP.
    package var status: UInt16
    /// Its headers, in order.
    package var headers: [NamedValue]
    /// Its whole body.
    package var body: [UInt8]

    /// An answer of its parts.
    package init(status: UInt16, headers: [NamedValue], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether each part is as short as a bundle's lengths can say.
    package var fits: Bool { BundleCodec.fits(headers) && body.count <= UInt32.max }
}
