import Crypto
import Foundation
import HubClient
import HubVocabulary

/// Seals secure payloads with a key that is not in the database's folder, so that a copied database
/// yields none, nor anything by which a guess at one could be checked.
struct PayloadCipher: Sendable {
    /// The variable that may hold the key, as 64 hexadecimal digits.
    static let variable = "BELFRY_BACKEND_KEY"

    private let key: SymmetricKey

    /// The key of the environment, or of a file that is made at the first start.
    ///
    /// - Throws: `.key` when the text is no key, the file cannot be read or made, or it is missing
    ///   and not `isNew`.
    init(file: String, environment: [String: String], isNew: Bool) throws(BackendError) {
        if let text = environment[Self.variable] {
            key = try Self.key(text, of: "in \(Self.variable)")
            return
        }
        let text: String?
        do throws(DeviceStoreError) {
            text = try Self.kept(in: file, isNew: isNew)
        } catch {
            throw .key(reason: "cannot be kept: \(error)")
        }
        guard let text else {
            throw .key(reason: "is missing: put \(file) back, or set \(Self.variable)")
        }
        key = try Self.key(text, of: "in \(file)")
    }

    /// The text of a file, which is made with a new key where there is none yet.
    private static func kept(
        in file: String,
        isNew: Bool
    ) throws(DeviceStoreError) -> String? {
        let disk = LocalDisk()
        if let bytes = try disk.read(file) { return String(decoding: bytes, as: UTF8.self) }
        guard isNew else { return nil }
        let text = HexText.lowercase((0..<32).map { _ in UInt8.random(in: 0...255) }) + "\n"
        try disk.write(Array(text.utf8), to: file)
        try disk.syncFolder(of: file)
        return text
    }

    /// A few bytes by which a database recognises its key.
    var check: Data {
        Data(HMAC<SHA256>.authenticationCode(for: Array("belfry backend".utf8), using: key))
            .prefix(16)
    }

    /// By what a repeated request is recognised.
    ///
    /// It has the key in it: a hash of the request alone would say of every guess at a sealed
    /// payload whether it is right.
    func digest(of request: [UInt8]) -> Data {
        let own = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key,
            info: Array("belfry backend request".utf8),
            outputByteCount: 32
        )
        return Data(HMAC<SHA256>.authenticationCode(for: request, using: own))
    }

    /// Seals bytes for one place, which must be given again to open them.
    func seal(_ bytes: [UInt8], for place: String) throws -> Data {
        let box = try AES.GCM.seal(bytes, using: key, authenticating: Array(place.utf8))
        guard let combined = box.combined else {
            throw BackendRefusal(500, "a payload cannot be sealed")
        }
        return combined
    }

    /// Opens what was sealed for a place.
    func open(_ sealed: Data, for place: String) throws -> [UInt8] {
        let box = try AES.GCM.SealedBox(combined: sealed)
        return [UInt8](try AES.GCM.open(box, using: key, authenticating: Array(place.utf8)))
    }

    private static func key(
        _ text: String,
        of origin: String
    ) throws(BackendError) -> SymmetricKey {
        let digits = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        guard digits.count == 64, let bytes = HexText.decode(digits.span) else {
            throw .key(reason: "\(origin) is not 64 hexadecimal digits")
        }
        return SymmetricKey(data: bytes)
    }
}
