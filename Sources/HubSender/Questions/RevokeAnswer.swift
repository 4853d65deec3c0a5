import HubVocabulary

/// The hub's answer about a device whose key it has revoked.
public struct RevokeAnswer: Decodable, Equatable, KeptAnswer, Sendable {
    private enum CodingKeys: String, CodingKey {
        case device, generation
    }

    /// The device's id, 32 hex digits.
    public var device: String
    /// Of the key that it would have to prove now.
    public var generation: UInt32
    /// The answer as it came.
    public internal(set) var json = ""
}

extension SenderClient {
    /// Revokes the key of a device, named by its id or its push handle; durable on return.
    ///
    /// - Throws: `SenderError`.
    public func revoke(device: String) async throws(SenderError) -> RevokeAnswer {
        let query = "&device=\(PercentCoding.encoded(device))"
        let text = try await post(path: "$belfry/revoke", query: query)
        guard let answer = RevokeAnswer(json: text) else {
            throw .answerMalformed(reason: "there is no device")
        }
        return answer
    }
}
