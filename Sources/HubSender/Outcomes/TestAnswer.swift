import HubVocabulary

/// The hub's answer to a test send: its result at each registration.
///
/// Source: REST reference §10.
public struct TestAnswer: Encodable, Equatable, Sendable {
    /// One registration.
    public struct Result: Encodable, Equatable, Sendable {
        /// The platform's word, such as `apple`.
        public var platform: String
        /// The registration's id.
        public var registration: String
        /// The result, in one sentence.
        public var outcome: String
    }

    /// Registrations that have it or get it.
    public var successes: Int
    /// Registrations that cannot get it.
    public var failures: Int
    /// Each of them; handles are left out, as they are secrets.
    public var results: [Result]
    /// The notification's id; nil when no registration gets it.
    public var notification: String?

    /// Reads the answer's document; nil when it is none.
    init?(xml: String, location: String?) {
        guard let success = XMLText.content(of: "Success", in: xml).flatMap({ Int($0) }),
            let failure = XMLText.content(of: "Failure", in: xml).flatMap({ Int($0) })
        else { return nil }
        successes = success
        failures = failure
        results = xml.split(separator: "<RegistrationResult>").dropFirst().map { part in
            let text = String(part)
            return Result(
                platform: XMLText.content(of: "ApplicationPlatform", in: text) ?? "",
                registration: XMLText.content(of: "RegistrationId", in: text) ?? "",
                outcome: XMLText.content(of: "Outcome", in: text) ?? ""
            )
        }
        notification = location.flatMap { location in
            location.split(separator: "?").first?.split(separator: "/").last.map(String.init)
        }
    }
}
