import HubVocabulary

/// The hub's reasons why a notification did or did not reach a subject.
public struct ExplainAnswer: Decodable, Equatable, KeptAnswer, Sendable {
    /// A tag that the notification's expression asks for, or forbids.
    public struct Term: Decodable, Equatable, Sendable {
        /// It as an expression: `World`, `!Sports`.
        public var term: String
        /// Whether the registration was as the expression wants it.
        public var holds: Bool
    }

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
        /// Its tags when the notification was accepted; nil when it was not there, or they are
        /// forgotten.
        public var tags: [String]?
        /// The first place of the log at which it had them.
        public var tagsSince: UInt64?
        /// The place from which it had others; nil while it has them.
        public var tagsUntil: UInt64?
        /// Each tag of the notification's expression, held against them.
        public var terms: [Term]?
    }

    private enum CodingKeys: String, CodingKey {
        case reason, sentence, registrations, accepted, place, receivers, fannedOut, expires
    }

    /// The name of the reason that came nearest.
    public var reason: String
    /// It in one sentence.
    public var sentence: String
    /// The reason of each registration, the nearest first.
    public var registrations: [Entry]
    /// When the notification was accepted; nil when the hub does not know it, as for the next ones.
    public var accepted: String?
    /// Its place in the log.
    public var place: UInt64?
    /// Whom it is for: its tag expression, or in words.
    public var receivers: String?
    /// When it had come to every connected device that it is for; nil before.
    public var fannedOut: String?
    /// When it expires, or expired.
    public var expires: String?
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
