import Crypto
import CryptoExtras
import Foundation
import HubVocabulary

/// A salted scrypt hash of a password, as text: `scrypt$14$8$5$SALT$HASH`.
///
/// The text holds its own cost, so that a later release can raise the cost of new ones.
struct PasswordHash: Equatable, Sendable {
    private static let saltBytes = 16
    private static let hashBytes = 32
    /// Costs beyond are no hash of ours, and would let a damaged row stop the backend.
    static let logRoundsMax = 20

    let text: String

    /// Hashes a password with a new salt; slow, so never on a thread that others need.
    init(_ password: [UInt8], cost: PasswordCost) throws(BackendError) {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<Self.saltBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let key = try Self.derive(password, salt: salt, cost)
        // The bytes are copied before the call returns.
        let hash = unsafe key.withUnsafeBytes { bytes in unsafe [UInt8](bytes) }
        text = [
            "scrypt", "\(cost.logRounds)", "\(cost.blockSize)", "\(cost.parallelism)",
            Base64.encode(salt), Base64.encode(hash),
        ].joined(separator: "$")
    }

    /// A hash that was stored.
    init(stored text: String) { self.text = text }

    /// Whether a password is the one; slow, and takes the same time for every password.
    ///
    /// A hash whose cost is beyond `logRoundsMax` accepts none.
    func accepts(_ password: [UInt8], logRoundsMax: Int = Self.logRoundsMax) -> Bool {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt",
            let logRounds = Int(parts[1]), (1...logRoundsMax).contains(logRounds),
            let blockSize = Int(parts[2]), let parallelism = Int(parts[3]),
            let salt = Base64.decode(Array(parts[4].utf8)),
            let hash = Base64.decode(Array(parts[5].utf8))
        else { return false }
        let cost = PasswordCost(
            logRounds: logRounds,
            blockSize: blockSize,
            parallelism: parallelism
        )
        guard let key = try? Self.derive(password, salt: [UInt8](salt), cost) else { return false }
        // Keys are compared in constant time.
        return key == SymmetricKey(data: hash)
    }

    private static func derive(
        _ password: [UInt8],
        salt: [UInt8],
        _ cost: PasswordCost
    ) throws(BackendError) -> SymmetricKey {
        do {
            return try KDF.Scrypt.deriveKey(
                from: password,
                salt: salt,
                outputByteCount: hashBytes,
                rounds: 1 << cost.logRounds,
                blockSize: cost.blockSize,
                parallelism: cost.parallelism
            )
        } catch {
            throw .password(reason: "cannot be hashed: \(error)")
        }
    }
}
