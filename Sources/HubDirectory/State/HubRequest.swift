package import HubVocabulary

/// A request to a hub, paired with its answer by type.
///
/// It was checked and authorised, and has one effect. `HubQuestion` only reads, `HubChange` changes.
package protocol HubRequest: Sendable {
    /// The answer to a caller that is not refused.
    associatedtype Reply: Sendable

    /// Bytes that it brings of its request's body, about; 0 where that is never much.
    var bodyBytes: Int { get }

    /// Whether it may make much at once, and lets requests of others go first.
    var isPatient: Bool { get }

    /// Notifications that it stores, and whose callers wait for that.
    var notifications: Int { get }

    /// Returns the request with the one who waits for its answer.
    func call(_ reply: @escaping @Sendable (Result<Reply, Refusal>) -> Void) -> HubCall
}

extension HubRequest {
    /// Nothing that counts.
    package var bodyBytes: Int { 0 }

    /// It makes little.
    package var isPatient: Bool { false }

    /// None.
    package var notifications: Int { 0 }
}
