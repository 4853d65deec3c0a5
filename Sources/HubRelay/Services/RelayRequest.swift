/// A `POST` to a service, as a connection sends it: names of headers in lower case.
package struct RelayRequest: Sendable {
    /// Whom to connect to; also the name in TLS.
    package var host: String
    /// The port to connect to.
    package var port = 443
    /// Path and query.
    package var path: String
    /// In the order of sending.
    package var headers: [(name: String, value: String)]
    /// The content.
    package var body: [UInt8]

    /// The value of a header.
    package subscript(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
