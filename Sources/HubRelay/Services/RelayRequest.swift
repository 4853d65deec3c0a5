import HubModel

/// A `POST` to a service, as a connection sends it: names of headers in lower case.
package struct RelayRequest: Sendable {
    /// Whom to connect to; also the name in TLS.
    package var host: String
    /// The port to connect to.
    package var port: Int
    /// Path and query.
    package var path: String
    /// In the order of sending.
    package var headers: [(name: String, value: String)]
    /// The content.
    package var body: [UInt8]

    /// Makes a request of its parts.
    package init(
        host: String,
        port: Int = 443,
        path: String,
        headers: [(name: String, value: String)],
        body: [UInt8]
    ) {
        self.host = host
        self.port = port
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// Values are senders' text: a connection would end over one that no HTTP message may carry,
    /// with every request on it.
    ///
    /// - Throws: the verdict that the content is refused.
    func requirePlainHeaders() throws(RelayVerdict) {
        let broken = headers.first { header in
            header.value.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
        }
        guard let broken else { return }
        throw RelayVerdict(
            .content,
            .invalidNotificationFormat,
            "\(broken.name) has characters that no header has"
        )
    }

    /// The value of a header.
    package subscript(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
