import HubTransport
import HubVocabulary

/// One device of a loop: its session, where it remembers, and its connection.
final class LinkedDevice {
    /// How far its connection is.
    enum Link: Equatable {
        /// Away until its deadline, or for good when it has none.
        case away
        /// Waits for its turn to open a connection.
        case queued
        case connecting(ConnectionID)
        case open(ConnectionID)
    }

    var session: LinkSession
    let store: (any DeviceStore)?
    var policy: ReconnectPolicy
    var link = Link.away
    /// Said by the session before the connection ended.
    var departure: Departure?
    /// Bytes that the connection did not take yet.
    var unsent: [UInt8] = []
    /// Whether this device counts among those being opened.
    var isOpening = false
    /// Which of the hub's addresses is tried next.
    var address = 0
    /// Addresses in a row at which no hub answered.
    var unreached = 0
    /// Actions of the session that are not carried out yet.
    var actions: [SessionAction] = []
    /// Up to which notification the app has dealt with them, until the store has it.
    var takenThrough: UInt64?
    /// Whether it stands in the list of those whose inputs are carried out at the end of the turn.
    var isListed = false
    /// Whether the hub was asked to pause on this connection.
    var isPaused = false

    init(_ setup: DeviceSetup, renewsTokens: Bool) {
        var configuration = setup.session
        configuration.renewsTokens = renewsTokens
        session = LinkSession(configuration: configuration, state: setup.state, seed: setup.seed)
        store = setup.store
        policy = ReconnectPolicy(seed: setup.seed ^ 0x5DEE_CE66)
    }
}
