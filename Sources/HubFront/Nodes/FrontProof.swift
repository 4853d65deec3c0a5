import Crypto
import HubREST
package import HubTransport
import HubVocabulary
package import Hummingbird
import Synchronization

/// A front's word about a client, with a proof that it has the database's `cluster.key`.
///
/// It holds for one run of one leader. A stranger's header of that name is refused.
package struct FrontProof: Sendable {
    /// The header of a carried request.
    package static let header = "Belfry-Front"
    /// The answer of a node that does not lead, under the same name.
    static let misdirected = "misdirected"
    /// Stands for a client that no limit counts.
    private static let uncounted = "-"
    /// Asks the system once for many keys.
    private static let random = Mutex(RandomPool(drawnFrom: SystemRandomNumberGenerator()))

    private let key: SymmetricKey

    /// Proves with bytes that every node derives from `cluster.key`.
    package init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

    /// The header's value about a client with a numeric address; nil is one that is not counted.
    package func value(client: String?, leader run: UInt64) -> String {
        let client = client ?? Self.uncounted
        let code = HMAC<SHA256>.authenticationCode(for: Self.text(client, run), using: key)
        return "\(client) \(Base64.encode(Array(code)))"
    }

    /// The word of a header to the leader of this run; nil when it proves nothing.
    package func client(in value: String, leader run: UInt64) -> Client? {
        let parts = value.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let code = Base64.decode(Array(parts[1].utf8)) else { return nil }
        let client = String(parts[0])
        let isValid = HMAC<SHA256>.isValidAuthenticationCode(
            code,
            authenticating: Self.text(client, run),
            using: key
        )
        guard isValid else { return nil }
        return Client(address: client == Self.uncounted ? nil : client)
    }

    /// The kind of the field with a front's code, in the header in front of a device's stream.
    package static let fieldKind: UInt8 = 0xE1

    /// The field about a device with this address.
    package func field(
        of source: HubTransport.SocketAddress,
        leader run: UInt64
    ) -> ProxyHeader.Field {
        let code = HMAC<SHA256>.authenticationCode(for: Self.text(source, run), using: key)
        return ProxyHeader.Field(kind: Self.fieldKind, value: Array(code))
    }

    /// Whether a header is a front's, for the leader of this run.
    package func proves(_ header: ProxyHeader, leader run: UInt64) -> Bool {
        guard let source = header.source,
            let field = header.fields.first(where: { $0.kind == Self.fieldKind })
        else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(
            field.value,
            authenticating: Self.text(source, run),
            using: key
        )
    }

    private static func text(_ source: HubTransport.SocketAddress, _ run: UInt64) -> [UInt8] {
        Array("device \(run) \(source)".utf8)
    }

    /// Whether a request says that it comes from a front.
    package static func isCarried(_ request: Request) -> Bool {
        request.headers[headerName] != nil
    }

    private static func text(_ client: String, _ run: UInt64) -> [UInt8] {
        Array("rest \(run) \(client)".utf8)
    }

    /// The client of a carried request.
    package struct Client: Hashable, Sendable {
        /// Its numeric address; nil for one that no limit counts.
        package let address: String?

        /// A client of a front.
        package init(address: String?) { self.address = address }
    }
}

extension FrontProof {
    /// The header's name among fields.
    package static let headerName = name(header)
    /// The name of a send's key among fields.
    static let keyName = name("Idempotency-Key")
    /// The name of a word about what became of a request, among fields.
    static let outcomeName = name(OutcomeHeader.name)

    private static func name(_ text: String) -> HTTPFields.Element.Name {
        guard let name = HTTPFields.Element.Name(text) else {
            preconditionFailure("letters and dashes are a name of a header")
        }
        return name
    }

    /// A key for a send that has none; no other send has the same.
    static func newKey() -> String {
        let numbers = random.withLock { ($0.next(), $0.next(), $0.next()) }
        var bytes: [UInt8] = []
        bytes.appendBigEndian(numbers.0)
        bytes.appendBigEndian(numbers.1)
        bytes.appendBigEndian(numbers.2)
        return Base64.encode(bytes)
    }
}
