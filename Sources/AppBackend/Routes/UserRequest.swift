import Crypto
import Foundation
import HubSender
import HubVocabulary
import Hummingbird

/// One request of a caller who is known, while it is answered.
struct UserRequest: Sendable {
    let http: Request
    let caller: Caller
    /// When it was let in, in seconds since 1970.
    let now: Int64
    let sender: SenderClient
    let limits: BackendLimits
    /// The budget for the bodies of all requests.
    let bodies: MemoryBudget

    /// Who asks.
    var user: UserName { caller.user }

    /// The hub, for all that one request needs of it: asked for once, when its body is there.
    var hub: SenderClient { sender.until(limits.hub.deadline) }

    /// Reads the whole body, which counts as held until `use` has ended.
    /// - Throws: `BackendRefusal` as `Request.bytes` does, and whatever `use` throws.
    func body<Value>(most: Int, _ use: ([UInt8]) async throws -> Value) async throws -> Value {
        let share = bodies.share(of: user)
        defer { withExtendedLifetime(share) {} }
        return try await use(try await http.bytes(most: most, limits: limits, share: share))
    }

    /// The key under which the hub knows what the caller repeats; nil when they named none.
    ///
    /// It has the user in it, so that two users never share one. Source: rules B.14.
    /// - Throws: `BackendRefusal` 400 that names the header.
    func hubKey() throws -> String? {
        guard let name = HTTPFields.Element.Name("Idempotency-Key"), let key = http.headers[name]
        else {
            return nil
        }
        guard (1...limits.requests.idempotencyKeyBytesMax).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw BackendRefusal(
                400,
                "Idempotency-Key must be 1 to \(limits.requests.idempotencyKeyBytesMax) visible characters"
            )
        }
        let digest = SHA256.hash(data: Data(user.text.utf8) + [0] + Data(key.utf8))
        return HexText.lowercase(digest)
    }
}
