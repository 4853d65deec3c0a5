import HubVocabulary

/// What a turn needs of a connection, in 24 bytes of a contiguous table by slot.
///
/// Everything else is in `ConnectionState`, whose arrays must not be touched, not even counted, for
/// each delivery. `ShardCore.enter` keeps the two in step.
struct HotConnection {
    /// The phase without what belongs to it.
    enum Kind: UInt8 {
        case vacant, awaitingHello, attaching, ready, draining, leaving, closing

        /// Whether bytes of the device still mean something.
        var hears: Bool {
            switch self {
            case .awaitingHello, .attaching, .ready, .draining: true
            case .vacant, .leaving, .closing: false
            }
        }
    }

    var id: ConnectionID
    /// Index of the hub and of the session in it; meaningful in `ready` only.
    var hub: Int32 = -1
    var session: Int32 = -1
    var kind: Kind
    /// In the list of connections to flush at the end of the turn.
    var isDirty = false
    /// Control frames wait in `ConnectionState.control`.
    var hasControl = false
    /// Close as soon as what is waiting is written.
    var closesAfterFlush = false
    /// The age of the oldest unacknowledged entry is being watched.
    var watchesAcks = false

    init(id: ConnectionID, kind: Kind) {
        self.id = id
        self.kind = kind
    }

    /// The session that may be written to.
    var place: SessionPlace? {
        kind == .ready ? SessionPlace(hub: Int(hub), session: Int(session)) : nil
    }
}

extension ShardCore {
    /// The next phase of a connection.
    mutating func enter(_ phase: ConnectionPhase, _ slot: Int) {
        connections[slot]?.phase = phase
        switch phase {
        case .vacant: hot[slot].kind = .vacant
        case .awaitingHello: hot[slot].kind = .awaitingHello
        case .attaching: hot[slot].kind = .attaching
        case .ready(let place):
            hot[slot].kind = .ready
            hot[slot].hub = Int32(place.hub)
            hot[slot].session = Int32(place.session)
        case .draining: hot[slot].kind = .draining
        case .leaving: hot[slot].kind = .leaving
        case .closing: hot[slot].kind = .closing
        }
    }
}
