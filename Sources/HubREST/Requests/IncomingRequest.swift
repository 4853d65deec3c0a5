import HubVocabulary
package import Hummingbird

/// A request's head as the routes read it.
package struct IncomingRequest: Sendable {
    /// The method, upper case as HTTP has it.
    package let method: String
    /// Path and query.
    package let target: RequestTarget
    /// Host and port under which the client reached the server; goes into `Location`.
    package let externalHost: String
    /// Echoed or made; names the request in answers and logs.
    package let tracking: Tracking
    private let fields: HTTPFields

    /// Reads a head; only the forms of `Host` and `TrackingId` are checked here.
    package init(_ request: Request, configuration: RESTConfiguration) {
        method = request.head.method.rawValue
        target = RequestTarget(request.head.path ?? "/")
        fields = request.headers
        let host = request.head.authority.flatMap { Self.isHost($0) ? $0 : nil }
        externalHost = host ?? configuration.externalHost
        tracking = Tracking(echoing: fields[HeaderNames.tracking])
    }

    /// The value of a header whose name compares without case, as bytes; nil when absent.
    package func header(_ name: String) -> [UInt8]? {
        fields[name].map { Array($0.utf8) }
    }

    /// Every header, names in lower case, in the order given.
    var headers: [NamedValue] {
        fields.map { field in
            NamedValue(name: Array(field.name.canonicalName.utf8), value: Array(field.value.utf8))
        }
    }

    /// The host without port, as access rules compare it.
    package var hostName: String {
        if externalHost.hasPrefix("["), let bracket = externalHost.firstIndex(of: "]") {
            return String(externalHost[...bracket])
        }
        let colon = externalHost.utf8.firstIndex(of: UInt8(ascii: ":"))
        return colon.map { String(externalHost[..<$0]) } ?? externalHost
    }

    /// The absolute address of a path on this server.
    ///
    /// Source: REST §2.4.
    func url(path: String, query: String) -> String { "https://\(externalHost)\(path)\(query)" }

    /// Whether a `Host` can stand in a URL as it is: letters, digits, `. - _ : [ ]`, 1...300 bytes.
    private static func isHost(_ text: String) -> Bool {
        (1...300).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                    UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}

extension HTTPFields {
    /// All values of a header joined by commas; nil when absent or when `name` is no header name.
    fileprivate subscript(_ name: String) -> String? {
        guard let name = Element.Name(name) else { return nil }
        return self[name]
    }
}
