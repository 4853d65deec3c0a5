package import HubParcel
package import HubVocabulary
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
/// `LinkPhase` has its states. Source: Protocol §6.
package struct LinkSession: ~Copyable, Sendable {
    /// The hub, the windows and the abilities of a session.
    package struct Configuration: Equatable, Sendable {
        /// Name of the hub on the server.
        package var hub: String
        /// Network as in HELLO: 0 unknown, 1 ethernet, 2 wifi, 3 cellular, 4 loopback.
        package var netType: UInt8 = 0
        /// The device's abilities.
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

    private var phase = LinkPhase.idle
    private var core: SessionCore

    /// A session that goes on from `state`; `seed` decides its tokens.
    package init(configuration: Configuration, state: DeviceState, seed: UInt64) {
        core = SessionCore(configuration: configuration, state: state, seed: seed)
    }

    /// Limits, windows and abilities.
    package var configuration: Configuration { core.configuration }

    /// The state to remember across starts; changes only together with `needsCommit`.
    package var state: DeviceState { core.state }

    /// Whether `state` or messages wait to be written.
    package var needsCommit: Bool { core.needsCommit }

    /// Keep-alives that were answered.
    package var pongs: UInt32 { core.pongs }

    /// How fast the device comes back, as the last WELCOME said.
    package var returning: ReturnPace { core.returning }

    /// Whether the hub has accepted the session on this connection, and nothing ends it yet.
    package var isReady: Bool { phase.isReady }

    /// Whether the device has an identity, so that no token is needed.
    package var hasIdentity: Bool { core.state.identity != nil }

    /// When the hub accepted the session on this connection; nil before.
    package var openedAt: Instant? { phase.openedAt }

    /// When `tick` must be called at the latest; nil when nothing is due.
    package var nextDeadline: Instant? { phase.nextDeadline(core) }

    /// The bytes to send now; they are not kept.
    package mutating func takeOutput() -> [UInt8] {
        let bytes = core.output
        core.output = []
        return bytes
    }

    /// The messages to store together with `state`; they are not kept.
    package mutating func takeMessages() -> [ReceivedNotification] {
        let taken = core.messages
        core.messages = []
        return taken
    }

    /// The connection is gone, for whatever reason; messages that were not stored are forgotten.
    package mutating func connectionEnded() {
        phase = .idle
        core.output = []
    }

    // MARK: Inputs of the driver

    /// Begins the session on a new connection: HELLO.
    ///
    /// The device key is proved where there is one, otherwise `token` makes a new identity.
    /// - Parameters:
    ///   - exporter: 32 bytes of the connection's TLS exporter (`DeviceProof.exporterLabel`).
    ///   - token: a SharedAccessSignature with the Listen right.
    ///   - now: the turn's time.
    ///   - actions: grows by `close` when no HELLO can be made.
    package mutating func open(
        exporter: [UInt8],
        token: String?,
        now: Now,
        actions: inout [SessionAction]
    ) {
        phase.open(OpeningLink(at: now.instant))
        input(now, &actions) { phase, core in
            do throws(WireError) {
                try core.sayHello(exporter: exporter, token: token)
            } catch {
                phase.end(
                    .refused(
                        code: error.number.rawValue,
                        aboutHello: true,
                        hasOtherCredentials: core.hasOtherCredentials,
                        retryAfter: .zero
                    )
                )
            }
        }
    }

    /// Takes the next bytes of the connection, wherever they were cut.
    ///
    /// - Parameters:
    ///   - bytes: plaintext in order; borrowed.
    ///   - inflater: the thread's own.
    ///   - now: the turn's time.
    ///   - actions: grows by the events, in order.
    package mutating func receive(
        _ bytes: Span<UInt8>,
        inflater: inout ParcelInflater,
        now: Now,
        actions: inout [SessionAction]
    ) {
        core.now = now
        phase.receive(bytes, &core, &inflater)
        finish(&actions)
    }

    /// The commit succeeded: now it may be acknowledged.
    package mutating func committed(now: Now, actions: inout [SessionAction]) {
        precondition(core.needsCommit, "committed without a change")
        precondition(core.messages.isEmpty, "committed with messages that were not taken")
        core.needsCommit = false
        input(now, &actions) { phase, core in phase.committed(&core) }
    }

    /// The commit failed: nothing of it is acknowledged, and the hub will send it again.
    ///
    /// `stored` is the store's content.
    package mutating func commitFailed(
        stored: DeviceState,
        now: Now,
        actions: inout [SessionAction]
    ) {
        core.state = stored
        core.messages = []
        core.needsCommit = false
        input(now, &actions) { phase, _ in phase.commitFailed() }
    }

    /// Does what is due: acknowledgements, PING, deadlines, repeated requests.
    package mutating func tick(now: Now, actions: inout [SessionAction]) {
        input(now, &actions) { phase, core in phase.tick(&core) }
    }

    /// Asks at once whether the link still lives, for example after a sleep.
    package mutating func probe(now: Now, actions: inout [SessionAction]) {
        input(now, &actions) { phase, core in phase.whenReady { $0.ping(&core) } }
    }

    /// Says how much the device takes from now on; 0 messages pauses everything.
    ///
    /// - Parameters:
    ///   - appState: 1 foreground, 2 background, 3 doze.
    ///   - messages: entries that may be unacknowledged.
    ///   - bytes: bytes that may be unacknowledged.
    ///   - now: the turn's time.
    package mutating func setWindow(
        appState: UInt8,
        messages: UInt16,
        bytes: UInt32,
        now: Now
    ) {
        let least = messages == 0 ? bytes : max(bytes, UInt32(WireLimits.windowBytesFloor))
        let window = WindowFrame(appState: appState, messages: messages, bytes: least)
        core.now = now
        phase.whenReady { $0.setWindow(window, &core) }
    }

    /// Leaves in an orderly way: BYE, then `close`.
    ///
    /// - Parameters:
    ///   - reason: as in BYE: 0 shutdown, 1 network change, 2 background, 3 logout.
    ///   - departure: the reason for the reconnect policy.
    ///   - now: the turn's time.
    ///   - actions: grows by `close`.
    package mutating func leave(
        reason: UInt8,
        departure: Departure,
        now: Now,
        actions: inout [SessionAction]
    ) {
        input(now, &actions) { phase, core in
            phase.whenReady { link in
                link.acknowledge(&core)
                ByeFrame(reason: reason).encode(into: &core.output)
            }
            phase.end(departure)
        }
    }

    /// Gives phase and core an input at a time, and ends it.
    mutating func input<Failure: Error>(
        _ now: Now,
        _ actions: inout [SessionAction],
        _ body: (inout LinkPhase, inout SessionCore) throws(Failure) -> Void
    ) throws(Failure) {
        core.now = now
        try body(&phase, &core)
        finish(&actions)
    }

    private mutating func finish(_ actions: inout [SessionAction]) {
        phase.finishInput(&core)
        actions += core.actions
        core.actions = []
    }
}
