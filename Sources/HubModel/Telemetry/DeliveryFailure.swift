package import HubVocabulary

/// A registration that a notification was for and that did not get it, or a handle that it named.
package struct DeliveryFailure: Hashable, Sendable {
    /// The cause of a failure.
    package enum Kind: Hashable, Sendable {
        /// It expired, was replaced, was too much for one absence, or an operator purged it.
        case dropped
        /// No device of this hub has the handle.
        case unknownHandle
        /// The push service refused it, in this word.
        case refused(RelayOutcome)
        /// The template does not compile.
        case templateError
        /// The payload that the template renders is too large.
        case invalidSize
    }

    /// When it expired or was replaced, or else when the notification was accepted.
    package var time: Timestamp
    /// The cause.
    package var kind: Kind
    /// The platform of the handle.
    package var platform: Platform
    /// The push handle: a secret.
    package var handle: [UInt8]
    /// The registration's external id; empty where the notification named the handle.
    package var registration: [UInt8]
    /// The id of the installation that the registration belongs to; nil for none.
    package var installation: [UInt8]?

    /// Makes a failure.
    package init(
        time: Timestamp,
        kind: Kind,
        platform: Platform,
        handle: [UInt8],
        registration: [UInt8],
        installation: [UInt8]? = nil
    ) {
        self.time = time
        self.kind = kind
        self.platform = platform
        self.handle = handle
        self.registration = registration
        self.installation = installation
    }
}
