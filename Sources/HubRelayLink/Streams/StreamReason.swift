import HubTemplates

/// The word in `{"reason": …}` that Apple writes into answers and into the end of a connection.
enum StreamReason {
    /// Words that are about the credential and not about a request.
    private static let ofCredential: Set<String> = [
        "InvalidProviderToken", "BadCertificate", "BadCertificateEnvironment",
        "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken", "UnrelatedKeyIdInToken",
        "UnrelatedKeyInToken", "Forbidden",
    ]
    /// Words by which the service wants this connection to end.
    private static let ofConnection: Set<String> = ["Shutdown", "IdleTimeout"]
    private static let depthMax = 8

    /// The word; empty when the bytes hold none.
    static func read(_ bytes: [UInt8]) -> String {
        // Bytes that are no JSON hold no word.
        guard let tree = try? JSONTree(json: bytes.span, depthMax: depthMax),
            case .string(let word)? = tree.member("reason")
        else { return "" }
        return String(decoding: word.prefix(64), as: UTF8.self)
    }

    static func isOfCredential(_ word: String) -> Bool { ofCredential.contains(word) }
    static func isOfConnection(_ word: String) -> Bool { ofConnection.contains(word) }
}
