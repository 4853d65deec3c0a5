import HubTransport
package import HubWire

/// A device's side of the link: bytes, requests and time in; bytes, actions and state out.
///
/// Lives across connections. It does nothing by itself; after every input the driver, in order,
///
/// 1. writes `state` and the messages of `takeMessages()` in one atomic step when `needsCommit`,
///    and then calls `committed`, which is what releases acknowledgements,
/// 2. sends `takeOutput()`,
/// 3. carries out the actions, and calls `tick` at `nextDeadline`.
///
///        idle ──open──▶ opening ──WELCOME──▶ ready ──GOAWAY, fault, leave──▶ closing
///         ▲                └──────ERROR, fault────────────────────────────────┤
///         └───────────────────────────connectionEnded─────────────────────────┘
///
/// Source: Protocol §6.
package struct LinkSession: Sendable {
    /// What a session is set up with.
    package struct Configuration: Equatable, Sendable {
        /// Name of the hub on the server.
        package var hub: String
        /// Network as in HELLO: 0 unknown, 1 ethernet, 2 wifi, 3 cellular, 4 loopback.
        package var netType: UInt8 = 0
        /// What the device can do.
        package var capabilities: Capabilities = .known
        /// Entries that may be unacknowledged.
        package var windowMessages = UInt16(WireLimits.windowMessagesDefault)
        /// Bytes that may be unacknowledged.
        package var windowBytes = UInt32(WireLimits.windowBytesDefault)
        /// Shortest keep-alive interval in seconds.
        package var keepAliveLeast: UInt16 = 15
        /// Longest keep-alive interval in seconds.
        package var keepAliveMost = UInt16(WireLimits.keepaliveSecondsMax)
        /// One session in so many says something that no version knows, a capability and a frame;
        /// 0 for none.
        ///
        /// Source: Protocol V-4.
        package var unusedOneIn: UInt64 = 16
        /// Whether each opening is given a new token, so that an expired one does not come again.
        package var renewsTokens = false
        /// Whether payloads are inflated and headers read; a load generator may go without.
        package var inflates = true
        /// Whether notifications carry the frame that brought them, for those who show it.
        package var keepsFrames = false
        /// Whether entries are remembered for the time after a RESET (18 bytes each).
        package var remembersEntries = true

        /// The protocol's defaults for a hub.
        package init(hub: String) { self.hub = hub }
    }

    enum Phase: Equatable {
        case idle
        case opening
        case ready
        case closing
    }

    /// What is forgotten with the connection.
    struct Connection {
        /// Bytes of a frame that has not come completely.
        var partial: [UInt8] = []
        /// The DELIVER frame that is being read, where frames are kept.
        var frame: [UInt8] = []
        /// Highest complete sequence number that the hub has sent, as far as it is known here.
        var chain: UInt64 = 0
        /// Highest sequence number that the hub was told is stored.
        var acknowledged: UInt64 = 0
        /// Entries and bytes that came since the last acknowledgement.
        var pending = UnacknowledgedInput()
        var acknowledgesNow = false
        var ackDelay: Duration = .milliseconds(WireLimits.ackDelayMillisecondsDefault)
        var capabilities: Capabilities = []
        var receiptsPerFrame = WireLimits.receiptsMax
        /// The hub's clock, from WELCOME and from every PONG since.
        var hubClock: HubClock?
        var outstanding: [OutstandingRequest] = []
        var lastRef: UInt16 = 0
        var openedAt: MonotonicTime?
        var lastSent = MonotonicTime(nanoseconds: 0)
        /// Seconds within which the hub was promised another frame.
        var promisedSeconds = WireLimits.keepaliveSecondsStart
        /// The PING that the hub has not answered.
        var awaitedPong: AwaitedPong?
        /// Said by the hub or decided here; carried out once everything is stored.
        var departure: Departure?

        var welcomeDeadline: MonotonicTime?
        var frameDeadline: MonotonicTime?
        var ackDeadline: MonotonicTime?
        var retryDeadline: MonotonicTime?
        /// When a slot with a lifetime is registered again.
        var renewalDeadline: MonotonicTime?
        /// When RECEIPTS were sent last.
        var receiptsSent: MonotonicTime?
    }

    /// Limits, windows and what the device can do.
    package let configuration: Configuration
    /// What must be remembered across starts; changes only together with `needsCommit`.
    package internal(set) var state: DeviceState
    /// Whether `state` or messages wait to be written.
    package internal(set) var needsCommit = false

    var phase = Phase.idle
    var connection = Connection()
    var output: [UInt8] = []
    var messages: [ReceivedNotification] = []
    var random: JitterSource
    /// SEQ_GAPs in a row; after two the device asks for a fresh start.
    var sequenceGaps = 0
    let instance: UInt64
    /// Keep-alives that were answered.
    package internal(set) var pongs: UInt32 = 0

    /// A session that goes on from `state`; `seed` decides its tokens.
    package init(configuration: Configuration, state: DeviceState, seed: UInt64) {
        self.configuration = configuration
        self.state = state
        random = JitterSource(seed: seed)
        instance = random.next()
    }

    /// Whether the hub has accepted the session on this connection.
    package var isReady: Bool { phase == .ready }

    /// Whether the device has an identity, so that no token is needed.
    package var hasIdentity: Bool { state.identity != nil }

    /// Whether the next opening would show other credentials than a token that has expired.
    var hasOtherCredentials: Bool { hasIdentity || configuration.renewsTokens }

    /// When the hub accepted the session on this connection; nil before.
    package var openedAt: MonotonicTime? { connection.openedAt }

    /// The bytes to send now; they are not kept.
    package mutating func takeOutput() -> [UInt8] {
        let bytes = output
        output = []
        return bytes
    }

    /// The messages to store together with `state`; they are not kept.
    package mutating func takeMessages() -> [ReceivedNotification] {
        let taken = messages
        messages = []
        return taken
    }

    /// The connection is gone, for whatever reason; what was not stored is forgotten.
    package mutating func connectionEnded() {
        phase = .idle
        connection = Connection()
        output = []
    }

    /// When `tick` must be called at the latest; nil when nothing is due.
    package var nextDeadline: MonotonicTime? {
        var earliest: MonotonicTime?
        func consider(_ deadline: MonotonicTime?) {
            guard let deadline else { return }
            earliest = min(earliest ?? deadline, deadline)
        }
        consider(connection.welcomeDeadline)
        consider(connection.frameDeadline)
        consider(connection.ackDeadline)
        consider(connection.awaitedPong?.deadline)
        consider(connection.retryDeadline)
        consider(connection.renewalDeadline)
        consider(receiptsDue)
        if phase == .ready, connection.awaitedPong == nil { consider(pingDue) }
        return earliest
    }

    /// When the next PING is due if nothing else is sent before.
    var pingDue: MonotonicTime {
        connection.lastSent + .seconds(connection.promisedSeconds)
    }
}

/// A request that the hub has not answered.
struct OutstandingRequest: Equatable {
    enum Kind: Equatable {
        case register(RegistrationChoice)
        case tags(RegistrationChoice)
        case unregister(slot: UInt16)
        case receipts([Receipt])
    }

    let ref: UInt16
    let kind: Kind

    /// The slot that it changes.
    var slot: UInt16? {
        switch kind {
        case .register(let choice), .tags(let choice): choice.slot
        case .unregister(let slot): slot
        case .receipts: nil
        }
    }
}
