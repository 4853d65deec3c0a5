import HubVocabulary

/// The facts that a turn needs of a connection, in 24 bytes of a contiguous table by slot.
///
/// Everything else is in `ConnectionState`, whose arrays must not be touched, not even counted, for
/// each delivery. `follow` keeps the two in step.
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

    let id: ConnectionID
    private(set) var kind = Kind.vacant
    /// The session's place; meaningful in `ready` only.
    private var ready = SessionReference(hub: 0, index: SessionIndex(row: 0))
    /// In the list of connections to flush at the end of the turn.
    var isDirty = false
    /// Control frames wait in `ConnectionState.control`.
    var hasControl = false
    /// Close as soon as what is waiting is written.
    var closesAfterFlush = false
    /// The age of the oldest unacknowledged entry is being watched.
    var watchesAcks = false

    /// A slot without a connection.
    init(id: ConnectionID) { self.id = id }

    /// The session that may be written to.
    var session: SessionReference? { kind == .ready ? ready : nil }

    /// The connection is in a phase; nil when it is no more.
    mutating func follow(_ phase: ConnectionPhase?) {
        switch phase {
        case nil: kind = .vacant
        case .awaitingHello: kind = .awaitingHello
        case .attaching: kind = .attaching
        case .ready(let session):
            kind = .ready
            ready = session
        case .draining: kind = .draining
        case .leaving: kind = .leaving
        case .closing: kind = .closing
        }
    }
}
