import FoundationEssentials

/// A request of an app to its backend, with the answer, as they went over the wire; what is secret
/// in the request is cut: credentials, push handles, secure payloads.
package struct BackendExchange: Equatable, Sendable {
    /// The method.
    package var method: String
    /// Path and query.
    package var path: String
    /// Headers of the request, with the credentials cut to their scheme.
    package var headers: [String]
    /// The body of the request.
    package var body: [UInt8]
    /// The status of the answer.
    package var status: Int
    /// The media type of the answer.
    package var mediaType: String
    /// The body of the answer.
    package var answer: [UInt8]

    /// The sentence of a refusal without the field that it names, or else its status.
    var problem: String {
        let text = message
        guard !text.isEmpty else { return "the backend answered \(status)" }
        guard let colon = text.firstRange(of: ": "), !text[..<colon.lowerBound].contains(" ") else {
            return text
        }
        return String(text[colon.upperBound...])
    }

    /// The sentence of a refusal.
    package var message: String {
        // Another server's answer may be anything; then there is no sentence to show.
        let read = try? JSONDecoder().decode([String: String].self, from: Data(answer))
        return read?["Message"] ?? ""
    }
}
