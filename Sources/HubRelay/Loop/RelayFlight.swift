import HubModel
import HubVocabulary

/// A request of a lane that has no answer yet, or that waits for an access token.
struct RelayFlight {
    /// The notification.
    var notification: RelayNotification
    /// To whom.
    var handle: ForeignHandle
    /// When the registration was last written; the beginning of time for a handle without one.
    var modified: Timestamp
    /// Its version then; nil for a handle without a registration.
    var version: UInt64?
    /// Whether every device of the record gets the same content.
    var sharesContent: Bool
}
