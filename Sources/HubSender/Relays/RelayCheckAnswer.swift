/// The word of a push service on a hub's credential.
package struct RelayCheckAnswer: Decodable, Equatable, Sendable {
    /// `taken`, `refused`, `unanswered`, `untestable` or `noRelay`.
    package var answer: String
    /// The word that a refusal would count as.
    package var outcome: String?
    /// The service's own word.
    package var reason: String?
}
