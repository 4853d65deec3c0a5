/// Where one relay to a push service stands.
package struct RelayStateAnswer: Decodable, Equatable, Sendable {
    /// Records that are not taken up yet.
    package var behind: UInt64
    /// Why the relay rests; nil while it sends.
    package var cause: String?
    /// Notifications whose devices asked for a pause.
    package var deferred: Int
    /// Records that are being sent.
    package var open: Int
    /// Everything up to here is done, but for the open ones.
    package var place: UInt64
    /// The first notification that is relayed.
    package var since: UInt64
}
