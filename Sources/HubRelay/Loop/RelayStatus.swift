package import HubVocabulary

/// The state of a lane, as an operator sees it.
package struct RelayStatus: Hashable, Sendable {
    /// The hub.
    package var hub: HubName
    /// The platform whose service it relays to.
    package var platform: Platform
    /// Why it sends nothing; nil while it sends.
    package var cause: LaneCause?
    /// Records that it has not read.
    package var behind: UInt64
    /// Records that it is sending.
    package var open: Int
    /// Requests without an answer.
    package var inFlight: Int
    /// Notifications that wait by themselves.
    package var deferred: Int
}
