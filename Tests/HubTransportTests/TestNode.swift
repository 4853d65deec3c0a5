import COpenSSL
import Dispatch
import HubTestSupport
import HubTransport
import HubVocabulary
import Synchronization
import Testing

/// What a handler was told.
enum Event: Sendable, Equatable {
    case opened(ConnectionID, PeerInfo)
    case received(ConnectionID, [UInt8])
    case writable(ConnectionID)
    case worn(ConnectionID)
    case closed(ConnectionID, CloseCause)
    case failed(ConnectionID, ConnectFailure)
    case posted(Int)
    /// The turn with the last `closed` has ended.
    case turnEnded
    case ended(TransportStatistics)
}

/// The events of one reactor, in order, which a test waits on.
final class EventLog: Sendable {
    private let events = Mutex<[Event]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func append(_ event: Event) {
        events.withLock { $0.append(event) }
        arrived.signal()
    }

    var all: [Event] { events.withLock { $0 } }

    /// Waits until `find` returns a value for all events so far; records an issue when it does
    /// not within a minute, which only a failure takes.
    func wait<Value>(
        _ what: String,
        location: SourceLocation = #_sourceLocation,
        for find: ([Event]) -> Value?
    ) throws -> Value {
        let deadline = DispatchTime.now() + .seconds(60)
        while true {
            if let value = find(all) { return value }
            if arrived.wait(timeout: deadline) == .timedOut { break }
        }
        if let value = find(all) { return value }
        return try #require(
            nil,
            "\(what) did not happen; last events: \(all.suffix(3))",
            sourceLocation: location
        )
    }
}

/// Handler that logs, answers as told, and runs closures on its thread.
final class ScriptedHandler: ConnectionHandler {
    typealias Message = @Sendable (ScriptedHandler) -> Void

    let connections: Connections
    let log: EventLog
    var echoes = false
    var authenticates = true
    var received: ((ConnectionID, [UInt8]) -> Void)?
    var writable: ((ConnectionID) -> Void)?
    var ticked: (() -> Void)?
    /// Whether `.turnEnded` is logged.
    var logsEnds = false
    /// Run at the end of the next turn.
    var ending: (() -> Void)?
    /// `closed` was called since the last `endOfTurn`.
    var owesEndOfTurn = false
    var batches = 0
    var turns = 0

    init(_ connections: Connections, log: EventLog) {
        self.connections = connections
        self.log = log
    }

    func opened(_ connection: ConnectionID, peer: PeerInfo, now: Now) {
        if authenticates { connections.markAuthenticated(connection) }
        log.append(.opened(connection, peer))
    }

    func received(_ bytes: Span<UInt8>, from connection: ConnectionID, now: Now) {
        if echoes { _ = connections.write(connection, bytes) }
        // The bytes are borrowed for this call, and the array copies them.
        let copy = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
        if let received { return received(connection, copy) }
        log.append(.received(connection, copy))
    }

    func writable(_ connection: ConnectionID, now: Now) {
        if let writable { return writable(connection) }
        log.append(.writable(connection))
    }

    func keyWorn(_ connection: ConnectionID, now: Now) { log.append(.worn(connection)) }

    func closed(_ connection: ConnectionID, cause: CloseCause, now: Now) {
        owesEndOfTurn = true
        log.append(.closed(connection, cause))
    }

    func connectFailed(_ connection: ConnectionID, cause: ConnectFailure, now: Now) {
        log.append(.failed(connection, cause))
    }

    func endOfTurn(now: Now) {
        turns += 1
        if owesEndOfTurn, logsEnds { log.append(.turnEnded) }
        owesEndOfTurn = false
        let ending = ending
        self.ending = nil
        ending?()
    }

    func tick(now: Now) { ticked?() }

    func received(_ batch: [Message], now: Now) {
        batches += 1
        for message in batch { message(self) }
    }
}

/// A reactor on its own thread, ended when the test lets it go.
final class TestNode: Sendable {
    let log: EventLog
    let mailbox: Mailbox<ScriptedHandler.Message>
    private let thread: ReactorThread
    private let isJoined = Mutex(false)

    init(_ configuration: ReactorConfiguration) throws {
        let log = EventLog()
        let mailbox = try Mailbox<ScriptedHandler.Message>()
        thread = try ReactorThread(name: "test reactor") {
            do throws(TransportError) {
                let reactor = try Reactor(configuration, mailbox: mailbox) {
                    ScriptedHandler($0, log: log)
                }
                reactor.run()
                log.append(.ended(reactor.connections.statistics))
            } catch {
                Issue.record("no reactor: \(error)")
            }
        }
        self.log = log
        self.mailbox = mailbox
    }

    deinit { end() }

    /// Runs a closure on the reactor's thread, later.
    func post(_ body: @escaping @Sendable (ScriptedHandler) -> Void) {
        _ = mailbox.post(body)
    }

    /// Runs a closure on the reactor's thread and waits for its value.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (ScriptedHandler) -> Value
    ) throws -> Value {
        let box = Box<Value>()
        let done = DispatchSemaphore(value: 0)
        post { handler in
            box.value.withLock { $0 = body(handler) }
            done.signal()
        }
        try #require(done.wait(timeout: .now() + .seconds(60)) == .success, "no answer")
        return try #require(box.value.withLock { $0 })
    }

    /// Stops the reactor at once and waits for its thread.
    func end() {
        let wasJoined = isJoined.withLock { joined in
            defer { joined = true }
            return joined
        }
        if wasJoined { return }
        post { $0.connections.stop(withinMilliseconds: 0) }
        thread.join()
    }

    /// Waits for a reactor that was told to stop.
    func join() {
        isJoined.withLock { $0 = true }
        thread.join()
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}

extension TransportLimits {
    /// The defaults, with time for a machine that does a hundred other things.
    static let patient: TransportLimits = {
        var limits = TransportLimits()
        limits.timers.handshakeMilliseconds = 60_000
        limits.timers.closeMilliseconds = 60_000
        limits.timers.unreadMilliseconds = 60_000
        return limits
    }()
}

/// One authority, certificate and listening node, and clients that trust it.
struct TestNet {
    let authority: TestAuthority
    let identity: TestIdentity
    let server: TestNode
    let address: SocketAddress

    init(
        limits: TransportLimits = .patient,
        authority: TestAuthority = TestAuthority(),
        asksClients: Bool = false,
        sealing: RecordSealing = .own,
        submission: Submission = .ring,
        proxies: [AddressBlock] = [],
        fronts: FrontTrust? = nil
    ) throws {
        self.authority = authority
        identity = authority.issue()
        let tls = try ServerTLS(
            certificate: identity.certificate,
            key: identity.key,
            clientAuthorities: asksClients ? authority.root : nil
        )
        let listeners = try Listeners(
            at: SocketAddress(numeric: "127.0.0.1", port: 0),
            count: 1,
            limits: limits
        )
        address = listeners.address
        server = try TestNode(
            ReactorConfiguration(
                limits: limits,
                server: .init(
                    listeners: listeners,
                    tls: tls,
                    sealing: sealing,
                    submission: submission,
                    proxies: proxies,
                    fronts: fronts
                )
            )
        )
    }

    func client(limits: TransportLimits = .patient) throws -> TestNode {
        try TestNode(ReactorConfiguration(limits: limits))
    }

    /// Connects and waits until both ends know; the two names and the client's peer facts.
    func open(
        _ client: TestNode
    ) throws -> (client: ConnectionID, server: ConnectionID, peer: PeerInfo) {
        let known = server.log.all.opened.count
        let id = try connect(client)
        let peer = try client.log.wait("opened") { events in
            events.opened.first { $0.0 == id }?.1
        }
        let other = try server.log.wait("accepted") { events in
            events.opened.count > known ? events.opened[known].0 : nil
        }
        return (id, other, peer)
    }

    func connect(
        _ client: TestNode,
        serverName: String = "localhost",
        trusting: PEMFile? = nil,
        identity: TestIdentity? = nil
    ) throws -> ConnectionID {
        let trust = ClientTLS(
            authorities: trusting ?? authority.root,
            identity: identity.map { ($0.certificate, $0.key) }
        )
        let address = address
        return try client.run { handler -> Result<ConnectionID, TransportError> in
            do throws(TransportError) {
                return .success(
                    try handler.connections.connect(
                        to: address,
                        serverName: serverName,
                        using: TLSContext(client: trust)
                    )
                )
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// The server's counters once `condition` holds for them.
    func statistics(
        _ what: String,
        where condition: @escaping @Sendable (TransportStatistics) -> Bool
    ) throws -> TransportStatistics {
        var now = TransportStatistics()
        return try eventually(blocking: "\(what): \(now)") {
            now = try server.run { $0.connections.statistics }
            return condition(now) ? now : nil
        }
    }
}

extension [Event] {
    var opened: [(ConnectionID, PeerInfo)] {
        compactMap { if case .opened(let id, let peer) = $0 { (id, peer) } else { nil } }
    }

    func bytes(from connection: ConnectionID) -> [UInt8] {
        flatMap { event -> [UInt8] in
            if case .received(connection, let bytes) = event { bytes } else { [] }
        }
    }

    func cause(of connection: ConnectionID) -> CloseCause? {
        for case .closed(connection, let cause) in self { return cause }
        return nil
    }

    func failure(of connection: ConnectionID) -> ConnectFailure? {
        for case .failed(connection, let cause) in self { return cause }
        return nil
    }
}

/// SHA-256 by OpenSSL.
func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    unsafe SHA256(bytes, bytes.count, &hash)
    return hash
}

extension ScriptedHandler {
    @discardableResult
    func write(_ bytes: [UInt8], to connection: ConnectionID) -> WriteResult {
        connections.write(connection, bytes.span)
    }
}
