import HubRelay
import HubStreams
import NIOCore
import NIOPosix
import NIOSSL

/// The connections to one host, and the requests that wait for room on one of them.
///
/// Lives on one event loop. A second connection is opened when the first has answered and has no
/// room, so that an unproved credential makes one connection only.
final class StreamPool {
    /// Times that a request goes out again because a service did not process it.
    private static let unprocessedMax = 3
    /// Requests to a chosen host wait for the end of a pause that is no longer.
    private static let pauseMost = TimeAmount.seconds(2)

    private let host: String
    private let port: Int
    private let loop: any EventLoop
    private let options: CarrierOptions
    private let secured: NIOSSLContext
    private let service: StreamCarrier.Service
    private var waiting = CircularBuffer<StreamRequest>()
    private var connections: [StreamConnection] = []
    /// Connections that the service ends, with the requests that it still answers.
    private var leaving: [StreamConnection] = []
    private var isConnecting = false
    private var rest: ConnectRest
    /// Whether a turn of the loop is to give waiting requests to connections.
    private var isToPump = false
    /// Whether requests wait for the end of a pause.
    private var isPausing = false
    private var isClosed = false
    /// The timer of the first deadline.
    private var timer: (at: NIODeadline, scheduled: Scheduled<Void>)?

    init(
        host: String,
        port: Int,
        loop: any EventLoop,
        options: CarrierOptions,
        secured: NIOSSLContext,
        service: StreamCarrier.Service
    ) {
        self.host = host
        self.port = port
        self.loop = loop
        self.options = options
        self.secured = secured
        self.service = service
        rest = ConnectRest(options.times)
    }

    /// When it last got requests.
    private(set) var lastUse = NIODeadline.uptimeNanoseconds(0)

    /// Whether no request waits, or is in flight, and no connection is being made.
    var isIdle: Bool {
        waiting.isEmpty && !isConnecting && (connections + leaving).allSatisfy(\.isIdle)
    }

    /// Whether a word in `{"reason": …}` condemns the credential, which is Apple's way to say so.
    func isOfCredential(_ word: String) -> Bool {
        service == .apple && StreamReason.isOfCredential(word)
    }

    /// Takes requests, all with one deadline.
    func submit(_ requests: [StreamRequest]) {
        guard let first = requests.first else { return }
        lastUse = loop.now
        waiting.append(contentsOf: requests)
        pump()
        wake(at: first.deadline.at)
    }

    /// Why a request was not sent within its time: the service has no room, or cannot be reached.
    private func reasonToWait(_ time: Duration) -> CarrierFailure {
        connections.contains(where: \.hasAnswered)
            ? .unprocessed("no room in \(time)") : .unreachable("no connection in \(time)")
    }

    /// Ends every connection; requests that wait learn it.
    func close() {
        isClosed = true
        timer?.scheduled.cancel()
        timer = nil
        failWaiting(.unreachable("the relay stops"))
        for connection in connections + leaving { connection.close("the relay stops") }
    }

    /// Takes the credential's connections out of use.
    func retire(_ reason: String) {
        for connection in connections { connection.drain(reason) }
    }

    func answered() { rest.succeed() }

    func opened(_ connection: StreamConnection) {
        isConnecting = false
        options.onEvent(.connected(host: host, connections: connections.count))
    }

    /// A request that was not processed goes out again before all others.
    func repeats(_ request: StreamRequest, _ reason: String) {
        request.unprocessed += 1
        guard request.unprocessed <= Self.unprocessedMax else {
            return request.end(.failure(.unprocessed(reason)))
        }
        waiting.prepend(request)
    }

    func goneAway(_ connection: StreamConnection, _ word: String) {
        options.onEvent(.goneAway(host: host, reason: word))
        remove(connection)
        if connection.phase != .closed { leaving.append(connection) }
    }

    func ended(_ connection: StreamConnection) {
        remove(connection)
        leaving.removeAll { $0 === connection }
        options.onEvent(.lost(host: host, reason: connection.reason))
        pumpSoon()
    }

    /// Pumps behind what the loop is doing now, once for all answers that it reads in this turn.
    func pumpSoon() {
        guard !isToPump else { return }
        isToPump = true
        loop.assumeIsolated().execute { [self] in
            isToPump = false
            pump()
        }
    }

    /// Gives waiting requests to connections with room; opens another when there is none.
    private func pump() {
        while let request = waiting.first {
            guard !request.isOver else {
                waiting.removeFirst()
                continue
            }
            guard let connection = connections.first(where: { $0.hasRoom(for: request.request) })
            else { break }
            waiting.removeFirst()
            connection.send(request)
        }
        for connection in connections { connection.flush() }
        if !waiting.isEmpty { open() }
    }

    // MARK: Deadlines

    /// Looks at deadlines at this time, or before.
    private func wake(at time: NIODeadline) {
        if let timer {
            guard time < timer.at else { return }
            timer.scheduled.cancel()
        }
        let scheduled = loop.assumeIsolated().scheduleTask(deadline: time) { [weak self] in
            self?.endOverdue()
            return
        }
        timer = (time, scheduled)
    }

    private func endOverdue() {
        timer = nil
        let now = loop.now
        for request in waiting where request.deadline.at <= now {
            request.end(.failure(reasonToWait(request.deadline.time)))
        }
        waiting.removeAll(where: \.isOver)
        for connection in connections + leaving { connection.abandon(dueAt: now) }
        let inFlight = (connections + leaving).compactMap(\.deadline)
        let next = (waiting.map { $0.deadline.at } + inFlight).min()
        if let next { wake(at: next) }
    }

    // MARK: Connections

    /// Forgets a connection; one that never answered makes the next one wait.
    private func remove(_ connection: StreamConnection) {
        guard let place = connections.firstIndex(where: { $0 === connection }) else { return }
        connections.remove(at: place)
        if connection.way.lacksStreams, service == .chosen {
            failWaiting(.noStreams(port == 443 ? host : "\(host):\(port)"))
        }
        // Another address of the service may be a better one.
        if !connection.way.untried.isEmpty { return connect(connection.way.untried) }
        if !connection.hasAnswered { failed(connection.reason) }
    }

    private func failed(_ reason: String) {
        isConnecting = false
        rest.fail(reason, at: loop.now)
        if !connections.contains(where: \.isLive) { failWaiting(.unreachable(reason)) }
    }

    private func failWaiting(_ failure: CarrierFailure) {
        let requests = waiting
        waiting.removeAll()
        for request in requests { request.end(.failure(failure)) }
    }

    private func open() {
        let live = connections.filter(\.isLive)
        guard !isClosed, !isConnecting, live.count < options.connectionsMax,
            live.allSatisfy(\.hasAnswered)
        else { return }
        guard rest.isOver(at: loop.now) else {
            if live.isEmpty { waitForRest() }
            return
        }
        isConnecting = true
        let (reach, host, port) = (ServiceReach(options), host, port)
        loop.makeFutureWithTask { try await reach.addresses(host: host, port: port) }
            .assumeIsolated().whenComplete { [self] result in
                switch result {
                case .success(let addresses): connect(addresses[...])
                case .failure(CarrierFailure.unreachable(let reason)): failed(reason)
                case .failure(let error as CarrierFailure):
                    if case .forbiddenAddress = error { failWaiting(error) }
                    failed("\(error)")
                case .failure(let error): failed("\(error)")
                }
            }
    }

    /// A device of a chosen host would wait for minutes where a request fails: behind a short pause
    /// there is another connection.
    private func waitForRest() {
        guard service == .chosen, rest.until - loop.now <= Self.pauseMost else {
            return failWaiting(.unreachable("pause after: \(rest.reason)"))
        }
        guard !isPausing else { return }
        isPausing = true
        loop.assumeIsolated().scheduleTask(deadline: rest.until) { [weak self] in
            self?.isPausing = false
            self?.pump()
            return
        }
    }

    /// Tries the addresses one after the other.
    private func connect(_ addresses: ArraySlice<SocketAddress>) {
        guard !isClosed else { return failed("the relay stops") }
        guard let address = addresses.first else { return failed("no address of \(host) answers") }
        let headers = HeaderWriter(keepsAuthorization: service != .apple)
        let connection = StreamConnection(self, options, headers)
        let bound = NIOLoopBound(connection, eventLoop: loop)
        let (secured, host) = (secured, host)
        let patience = TimeAmount(options.times.connect)
        ClientBootstrap(group: loop).connectTimeout(patience)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        NIOSSLClientHandler(context: secured, serverHostname: host)
                    )
                    try pipeline.addHandler(bound.value)
                }
            }
            .connect(to: address).assumeIsolated().whenComplete { [self] result in
                switch result {
                case .success:
                    guard !isClosed else { return connection.close("the relay stops") }
                    guard connection.phase != .closed else {
                        if addresses.count > 1 { return connect(addresses.dropFirst()) }
                        return failed(connection.reason)
                    }
                    connection.way.untried = addresses.dropFirst()
                    connections.append(connection)
                    loop.assumeIsolated().scheduleTask(in: patience) {
                        if connection.phase == .opening { connection.close("no answer in TLS") }
                    }
                case .failure(let error):
                    if addresses.count > 1 { return connect(addresses.dropFirst()) }
                    failed("\(host) at \(address): \(error)")
                }
            }
    }
}
