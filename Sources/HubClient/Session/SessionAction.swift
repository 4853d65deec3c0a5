package import HubParcel
package import HubWire

/// What a session tells its driver, in order.
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

/// Why a good entry is not given to the app.
package enum EntryDrop: Equatable, Sendable {
    /// Its time to live ended before it came.
    case expired
    /// It was stored before the hub's history was reset.
    case repeated
}

/// What WELCOME said.
public struct SessionOpening: Equatable, Sendable {
    /// What became of the device's position.
    package var outcome: ResumeOutcome
    /// Entries lost; 0xFFFFFFFF is unknown.
    package var lost: UInt32
    /// Where the hub goes on.
    package var position: LinkPosition
    /// The device's identity.
    package var deviceID: ID16
    /// Whether this connection made the identity.
    public var isNewIdentity: Bool
    /// The hub's clock minus the device's, in milliseconds.
    public var clockOffsetMilliseconds: Int64
    /// An opaque text for support.
    public var trace: String

    /// The sequence number that the hub goes on behind.
    package var sequence: UInt64 { position.sequence }
}

/// What GAP said.
package struct LinkGap: Equatable, Sendable {
    /// The position before.
    package var from: UInt64
    /// The position after.
    package var to: UInt64
    /// Entries lost; 0xFFFFFFFF is unknown.
    package var lost: UInt32
    /// See `GapReason`; an unknown number counts as history lost.
    package var reason: UInt8

    /// A loss of its parts.
    package init(from: UInt64, to: UInt64, lost: UInt32, reason: UInt8) {
        self.from = from
        self.to = to
        self.lost = lost
        self.reason = reason
    }
}

/// Why a request was not carried out.
public struct RequestRefusal: Equatable, Sendable {
    /// What was asked.
    public enum Request: Equatable, Sendable {
        case register
        case tags
        case unregister
        case receipts
    }

    /// What was asked.
    public var request: Request
    /// For which slot; 0xFFFF for none or all.
    public var slot: UInt16
    /// An `ErrorNumber`, or one that is unknown here.
    public var status: UInt16
    /// The hub's text, which names the field or tag.
    public var detail: String

    /// A refusal of its parts.
    public init(request: Request, slot: UInt16, status: UInt16, detail: String) {
        self.request = request
        self.slot = slot
        self.status = status
        self.detail = detail
    }
}
