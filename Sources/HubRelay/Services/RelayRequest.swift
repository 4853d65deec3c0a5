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

    /// The value of a header.
    package subscript(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
