package import HubVocabulary

/// A send as a client gave it to a node that does not lead, for the node that does.
package struct CarriedSend: Hashable, Sendable {
    /// The client's numeric address, as text; empty for one that no limit counts.
    package var client: [UInt8]
    /// Host and port as the client wrote them; empty where it wrote none.
    package var authority: [UInt8]
    /// Path and query as the client wrote them.
    package var target: [UInt8]
    /// Its headers, in order.
    package var headers: [NamedValue]
    /// Its whole body.
    package var body: [UInt8]

    /// A send of its parts.
    package init(
        client: [UInt8],
        authority: [UInt8],
        target: [UInt8],
        headers: [NamedValue],
        body: [UInt8]
    ) {
        self.client = client
        self.authority = authority
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// Whether each part is as short as a bundle's lengths can say.
    package var fits: Bool {
        client.count <= UInt8.max && authority.count <= UInt16.max && target.count <= UInt16.max
            && BundleCodec.fits(headers) && body.count <= UInt32.max
    }

    /// Its bytes in a bundle.
    package var byteCount: Int {
        let names = headers.reduce(0) { $0 + $1.name.count + $1.value.count + 4 }
        return client.count + authority.count + target.count + names + body.count + 10
    }
}
