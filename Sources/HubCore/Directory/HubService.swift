import HubWire

/// What REST needs of a server: access and commands, nothing else.
///
/// Implemented by the server's wiring and by fakes in tests. Every method may be called from any
/// thread.
package protocol HubService: Sendable {
    /// Checks a request's token against the rules of a hub and its namespace.
    ///
    /// - Throws: a 401 refusal, `.missingRight`, or `.hubNotFound` (only for a valid token of the
    ///   namespace). Source: REST reference §3.
    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant

    /// Hands a command to a hub's directory; `reply` is called once, on any thread, after
    /// everything the reply says is durable.
    func submit(
        _ command: HubCommand,
        to hub: HubName,
        reply: @escaping @Sendable (Result<HubReply, Refusal>) -> Void
    )

    /// Checks the token of a request that administers the namespace.
    ///
    /// - Throws: a 401 refusal or `.missingRight`. Source: REST reference §3.5.
    func authorizeNamespace(_ request: NamespaceAccessRequest) throws(Refusal) -> AccessGrant

    /// Hands a command to the namespace; `reply` is called once, on any thread, when what it says
    /// is durable and in force.
    func submit(
        _ command: NamespaceCommand,
        reply: @escaping @Sendable (Result<NamespaceReply, Refusal>) -> Void
    )

    /// Reads every number that the server counts; `reply` is called once, on any thread, with the
    /// text format of Prometheus.
    func metrics(reply: @escaping @Sendable (String) -> Void)

    /// Who signs the links into a hub's feedback; nil when there is no such hub.
    func linkSigner(of hub: HubName) -> LinkSigner?

    /// The present time.
    var now: Timestamp { get }

    /// Whether the server can accept sends: nil when healthy, otherwise one readable line each.
    var problems: [String] { get }
}

/// A hub's name: 1...`bytesMax` characters, compared in lower case.
///
/// Source: rules A.1.
package struct HubName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Bytes at most: what HELLO can hold. A longer name could be reached by no device.
    package static let bytesMax = WireLimits.hubNameBytesMax

    /// Lower case; safe as a folder name.
    package let description: String

    /// Folds and checks a name: letters, digits, `.`, `_` and `-`, not beginning with a dot;
    /// 1...`bytesMax` bytes.
    ///
    /// nil when it is none.
    package init?(_ text: String) {
        let folded = text.lowercased()
        let allowed = folded.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
        guard allowed, (1...Self.bytesMax).contains(folded.utf8.count),
            folded.utf8.first != UInt8(ascii: ".")
        else { return nil }
        description = folded
    }

    package static func < (left: HubName, right: HubName) -> Bool {
        left.description < right.description
    }
}

/// What decides whether a request may do what it asks.
package struct AccessRequest: Sendable {
    /// The `Authorization` header as it stands; nil when absent.
    package var authorization: [UInt8]?
    /// The request's `Host` without port, or the server's first name.
    package var host: String
    /// The path as it stands in the request, still percent-encoded, without query.
    package var path: String
    /// The hub the path names.
    package var hub: HubName
    /// The right the operation needs.
    package var right: AccessRight

    /// Makes a request.
    package init(
        authorization: [UInt8]?,
        host: String,
        path: String,
        hub: HubName,
        right: AccessRight
    ) {
        self.authorization = authorization
        self.host = host
        self.path = path
        self.hub = hub
        self.right = right
    }
}
