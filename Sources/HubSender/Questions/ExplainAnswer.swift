import HubVocabulary

/// The hub's reasons why a notification did or did not reach a subject.
public struct ExplainAnswer: Decodable, Equatable, KeptAnswer, Sendable {
    /// The reason for one registration.
    public struct Entry: Decodable, Equatable, Sendable {
        /// The registration's id; nil for a direct send.
        public var registration: String?
        /// Its platform.
        public var platform: String?
        /// Its slot on the device.
        public var slot: Int?
        /// The reason's name.
        public var reason: String
        /// The reason in one sentence.
        public var sentence: String
        /// The part of the tag expression that fails.
        public var part: String?
    }

    private enum CodingKeys: String, CodingKey {
        case reason, sentence, registrations
    }

    /// The name of the reason that came nearest.
    public var reason: String
    /// It in one sentence.
    public var sentence: String
    /// The reason of each registration, the nearest first.
    public var registrations: [Entry]
    /// The answer as it came.
    public internal(set) var json = ""
}

extension SenderClient {
    /// Asks why a notification did or did not reach a device, registration or installation; exactly
    /// one of them is given.
    ///
    /// - Throws: `SenderError`.
    public func explain(
        notification: String,
        registration: String? = nil,
        installation: String? = nil,
        device: String? = nil
    ) async throws(SenderError) -> ExplainAnswer {
        var query = "&notification=\(PercentCoding.encoded(notification))"
        if let registration { query += "&registration=\(PercentCoding.encoded(registration))" }
        if let installation { query += "&installation=\(PercentCoding.encoded(installation))" }
        if let device { query += "&device=\(PercentCoding.encoded(device))" }
        let text = try await read(path: "$belfry/explain", query: query)
        guard let answer = ExplainAnswer(json: text) else {
            throw .answerMalformed(reason: "there is no reason")
        }
        return answer
    }
}
