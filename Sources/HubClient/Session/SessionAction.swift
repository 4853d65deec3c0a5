package import HubParcel
package import HubWire

/// An order or event from a session to its driver; they come in order.
package enum SessionAction: Equatable, Sendable {
    /// The hub accepted the session.
    case opened(SessionOpening)
    /// A slot is registered as wanted; `isUnchanged` when no byte had to be sent for it.
    case registered(RegistrationChoice, isUnchanged: Bool)
    /// A slot is given up.
    case unregistered(slot: UInt16)
    /// The hub refused a request; the session goes on.
    case requestRefused(RequestRefusal)
    /// A transient notification: show it now, it is never stored.
    case transient(ReceivedNotification)
    /// The position moved over entries that will not come.
    case gap(LinkGap)
    /// An entry could not be decoded; it counts as stored and the hub is told.
    case entryFailed(id: ID16, slot: UInt16, sequence: UInt64?, ParcelError)
    /// An entry was not kept: it had expired on the way, or was stored before a RESET.
    case entryDropped(id: ID16, slot: UInt16, sequence: UInt64, EntryDrop)
    /// The hub reported an error that does not end the session.
    case hubReported(code: UInt16, detail: String)
    /// Nothing waits behind what came.
    case upToDate
    /// Send what is in `output`, close the connection, and ask the reconnect policy.
    case close(Departure)
}
