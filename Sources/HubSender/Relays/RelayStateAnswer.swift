/// Where one relay to a push service stands.
package struct RelayStateAnswer: Decodable, Equatable, Sendable {
    /// Requests that the service took or refused, since the server began.
    package var answers: UInt64
    /// Records that are not taken up yet.
    package var behind: UInt64
    /// Why the relay rests; nil while it sends.
    package var cause: String?
    /// When the client certificate ends; nil without one.
    package var certificateEnd: String?
    /// `untried`, `works` or `refused`.
    package var credential: String
    /// Notifications whose devices asked for a pause.
    package var deferred: Int
    /// When the oldest notification was accepted that waits; nil when none does.
    package var oldest: String?
    /// Records that are being sent.
    package var open: Int
    /// Everything up to here is done, but for the open ones.
    package var place: UInt64
    /// Answers a second.
    package var rate: Double
    /// Why the service refuses the credential; nil while it does not.
    package var refusal: String?
    /// The first notification that is relayed.
    package var since: UInt64
    /// Requests that the open records still need.
    package var waiting: Int

    /// Seconds until the open records are done at the present rate; nil when none waits, or at rest.
    package var secondsLeft: Double? {
        waiting > 0 && rate > 0 ? Double(waiting) / rate : nil
    }
}
