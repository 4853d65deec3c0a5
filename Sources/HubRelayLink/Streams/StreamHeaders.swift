import HubRelay
import NIOHPACK

/// The header block of a request, and what of it the peer's table may keep.
struct StreamHeaders {
    /// Names whose values differ in each request or are secret: always literal, as Apple asks.
    private let literal: Set<String>
    /// Names that went out once, so that the table has them; their values follow as literals.
    private var named: Set<String> = []
    private static let varying: Set<String> = ["apns-id", "apns-expiration", "apns-collapse-id"]

    init(keepsAuthorization: Bool) {
        literal = keepsAuthorization ? [] : [":path", "authorization"]
    }

    mutating func block(_ request: RelayRequest) -> HPACKHeaders {
        var block = HPACKHeaders()
        block.reserveCapacity(request.headers.count + 4)
        add(":method", "POST", &block)
        add(":scheme", "https", &block)
        add(":authority", request.host, &block)
        add(":path", request.path, &block)
        for (name, value) in request.headers { add(name, value, &block) }
        return block
    }

    private mutating func add(_ name: String, _ value: String, _ block: inout HPACKHeaders) {
        var indexing = HPACKIndexing.indexable
        if literal.contains(name) {
            indexing = .nonIndexable
        } else if Self.varying.contains(name), !named.insert(name).inserted {
            indexing = .nonIndexable
        }
        block.add(name: name, value: value, indexing: indexing)
    }
}
