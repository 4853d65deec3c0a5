import HubVocabulary

/// Whom a tag expression or a send means, as the hub counts it; nothing is sent.
public struct AudienceAnswer: Decodable, Equatable, KeptAnswer, Sendable {
    private enum CodingKeys: String, CodingKey {
        case registrations, withoutDevice, platforms, sample
    }

    /// Registrations of one platform and kind.
    public struct Share: Decodable, Equatable, Sendable {
        /// `native` or `template`.
        public var kind: String
        /// The platform, as a send format.
        public var platform: String
        /// How many.
        public var registrations: Int
    }

    /// One of the registrations; its handle is masked.
    public struct Example: Decodable, Equatable, Sendable {
        /// The registration's id.
        public var id: String
        /// `native` or `template`.
        public var kind: String
        /// The platform, as a send format.
        public var platform: String
        /// Its tags.
        public var tags: [String]
        /// The text that it would get; nil where only the audience was asked for, or with a problem.
        public var text: String?
        /// Why it would get nothing.
        public var problem: String?
    }

    /// All registrations that are meant.
    public var registrations: Int
    /// Those that no device of this hub has.
    public var withoutDevice: Int
    /// How they are made up.
    public var platforms: [Share]
    /// Some of them.
    public var sample: [Example]
    /// The answer as it came.
    public internal(set) var json = ""
}

extension SenderClient {
    /// Counts the registrations that a tag expression means; nil means everyone.
    ///
    /// With a format only those that sends of that format reach. Needs the Manage right.
    /// - Throws: `SenderError`.
    public func audience(
        tags: String?,
        format: String? = nil
    ) async throws(SenderError) -> AudienceAnswer {
        var query = tags.map { "&tags=\(PercentCoding.encoded($0))" } ?? ""
        if let format { query += "&format=\(PercentCoding.encoded(format))" }
        return try Self.audience(try await read(path: "$belfry/audience", query: query))
    }

    /// Says who would receive a send, with what some of them would get; nothing is sent.
    ///
    /// Needs the Manage right.
    /// - Throws: `SenderError`.
    public func preview(
        _ notification: OutgoingNotification
    ) async throws(SenderError) -> AudienceAnswer {
        try Self.audience(try await perform(notification, to: "$belfry/preview").text)
    }

    private static func audience(_ text: String) throws(SenderError) -> AudienceAnswer {
        guard let answer = AudienceAnswer(json: text) else {
            throw .answerMalformed(reason: "there is no audience")
        }
        return answer
    }
}
