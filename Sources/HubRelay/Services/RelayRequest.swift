/// A `POST` to a service, as a connection sends it: names of headers in lower case.
package struct RelayRequest: Sendable {
    /// Whom to connect to; also the name in TLS.
    package var host: String
    /// The port to connect to.
    package var port: Int
    /// Path and query.
    package var path: String
    /// The headers that others of its content have too.
    package var head: RelayHead
    /// The header that is its own, behind those in common; made by the hub.
    package var identifier: (name: String, value: String)?
    /// The content.
    package var body: [UInt8]

    /// Makes a request of its parts.
    package init(
        host: String,
        port: Int = 443,
        path: String,
        head: RelayHead,
        identifier: (name: String, value: String)? = nil,
        body: [UInt8]
    ) {
        self.host = host
        self.port = port
        self.path = path
        self.head = head
        self.identifier = identifier
        self.body = body
    }

    /// Makes a request whose headers no other has.
    package init(
        host: String,
        port: Int = 443,
        path: String,
        headers: [(name: String, value: String)],
        body: [UInt8]
    ) {
        self.init(host: host, port: port, path: path, head: RelayHead(headers), body: body)
    }

    /// All of them, in the order of sending.
    package var headers: [(name: String, value: String)] {
        head.headers + (identifier.map { [$0] } ?? [])
    }

    /// The name that the service is asked by, with its port where that is not 443.
    package var authority: String { port == 443 ? host : "\(host):\(port)" }

    /// The value of a header.
    package subscript(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
