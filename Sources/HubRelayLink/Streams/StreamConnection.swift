import HubRelay
import HubStreams
import NIOCore
import NIOTLS

/// One HTTP/2 connection to a service: its requests in flight, its windows, its end.
///
/// Lives on one event loop, above TLS. Frames wait in its buffer until `flush`, so that the requests
/// and acknowledgements of a turn share records of TLS and system calls.
final class StreamConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Phase {
        /// TLS, or the service's first settings, are awaited.
        case opening
        case open
        /// Takes no request any more and ends with the last answer.
        case draining
        case closed
    }

    /// How it came to the service.
    struct Way {
        /// Addresses of the service that were not tried; none once it has spoken.
        var untried: ArraySlice<SocketAddress> = []
        /// Whether the service chose another protocol than HTTP/2.
        var lacksStreams = false
    }

    private weak var pool: StreamPool?
    private let options: CarrierOptions
    private var context: ChannelHandlerContext?
    private(set) var phase = Phase.opening
    private(set) var hasAnswered = false
    var way = Way()
    private var flights = StreamFlights()
    private var next: UInt32 = 1
    private var reader = FrameReader()
    private var writer = FrameWriter()
    private var headers: HeaderWriter
    private var windows = StreamWindows()
    private var streamsAllowed = 0
    private var silentInRow = 0
    private var health: StreamHealth
    private(set) var reason = ""

    init(_ pool: StreamPool, _ options: CarrierOptions, _ headers: HeaderWriter) {
        self.pool = pool
        self.options = options
        self.headers = headers
        health = StreamHealth(options.times)
    }

    var isLive: Bool { phase == .opening || phase == .open }

    var isIdle: Bool { flights.count == 0 }

    /// When the first of its requests ends without an answer.
    var deadline: NIODeadline? { flights.deadline }

    func hasRoom(for request: RelayRequest) -> Bool {
        phase == .open && flights.count < min(streamsAllowed, options.streamsMax)
            && windows.connection >= request.body.count
    }

    /// Writes a request; `flush` sends it, if there was not enough to send before.
    func send(_ request: StreamRequest) {
        guard context != nil else { return request.end(.failure(.lost(reason))) }
        let (id, body) = (next, request.request.body)
        next += 2
        writer.headers(id, request.request, &headers, endsStream: body.isEmpty)
        var flight = StreamFlights.Flight(request, window: windows.ofStreams)
        write(&flight, id)
        flights[id] = flight
        if writer.hasEnough { flush() }
        if id >= StreamLimits.lastStream { drain("stream numbers are used up") }
    }

    /// Sends what was written.
    func flush() {
        guard let context, !writer.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(writer.take()), promise: nil)
    }

    /// Ends requests whose time is over; a connection that answers nothing ends too.
    func abandon(dueAt now: NIODeadline) {
        let overdue = flights.due(at: now)
        guard !overdue.isEmpty, context != nil else { return }
        for id in overdue {
            guard let flight = flights.remove(id) else { continue }
            writer.reset(id, ServiceFrame.Code.cancel)
            let time = flight.request.deadline.time
            flight.request.end(.failure(.unanswered("no answer in \(time)")))
            silentInRow += 1
        }
        flush()
        if silentInRow >= StreamLimits.silentMax {
            drain("\(silentInRow) requests in a row got no answer")
        }
        endIfIdle()
        pool?.pumpSoon()
    }

    /// Takes no request any more.
    func drain(_ reason: String) {
        guard isLive else { return }
        self.reason = reason
        phase = .draining
        endIfIdle()
    }

    func close(_ reason: String) {
        if self.reason.isEmpty {
            self.reason = reason
        } else if self.reason != reason, !isOfCredential(self.reason) {
            self.reason += ", then " + reason
        }
        // It says goodbye for a while and takes no request meanwhile.
        if isLive { phase = .draining }
        guard let context else { return end() }
        // A pool that its carrier has let go hears of the end too.
        let pool = pool
        context.channel.closeFuture.assumeIsolated().whenComplete { _ in
            withExtendedLifetime(pool) {}
        }
        context.close(promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { close("\(error)") }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let name)? = event as? TLSUserEvent {
            if name == "h2" {
                writer.begin(StreamLimits.settings)
                flush()
            } else {
                way = Way(lacksStreams: true)
                close("the service does not speak HTTP/2")
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        health.heard(at: context.eventLoop.now)
        var bytes = unwrapInboundIn(data)
        reader.append(&bytes)
        do throws(FrameFault) {
            while phase != .closed, let frame = try reader.next() { try receive(frame) }
        } catch { fault(error) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush()
        context.fireChannelReadComplete()
    }

    private func fault(_ fault: FrameFault) {
        writer.goAway(ServiceFrame.Code.protocolError)
        flush()
        close(fault.reason)
    }

    private func isOfCredential(_ word: String) -> Bool { pool?.isOfCredential(word) ?? false }

    private func endIfIdle() {
        if phase == .draining, flights.count == 0 { close(reason) }
    }

    /// The connection is gone: requests without an answer learn why.
    private func end() {
        guard phase != .closed else { return }
        phase = .closed
        health.stop()
        let failure: CarrierFailure =
            isOfCredential(reason) ? .refused(reason) : .lost(reason)
        for flight in flights.removeAll(above: 0) { flight.request.end(.failure(failure)) }
        pool?.ended(self)
    }
}

/// Frames of the service.
extension StreamConnection {
    private func receive(_ frame: ServiceFrame) throws(FrameFault) {
        switch frame {
        case .headers(let id, let block, let endsStream):
            try requireBegun(id)
            try receive(block, id, endsStream: endsStream)
        case .tooLong(let id, let endsStream):
            try requireBegun(id)
            refuse(id, endsStream: endsStream)
        case .data(let id, let bytes, let size, let endsStream):
            try requireBegun(id)
            receive(bytes, size, id, endsStream: endsStream)
        case .reset(let id, let code):
            try requireBegun(id)
            receiveReset(code, id)
        case .settings(let settings): try receive(settings)
        case .ping(let data): try answerPing(data)
        case .goAway(let last, let code, let bytes): receiveGoAway(last, code, bytes)
        case .windowUpdate(let id, let increment): try grow(id, by: increment)
        case .nothing: break
        }
    }

    /// A stream that the client has not begun has no answer.
    private func requireBegun(_ id: UInt32) throws(FrameFault) {
        guard id < next else { throw FrameFault("a frame of stream \(id)") }
    }

    private func receive(
        _ settings: [(identifier: UInt16, value: UInt32)]
    ) throws(FrameFault) {
        if phase == .opening { streamsAllowed = options.streamsMax }
        for (identifier, value) in settings {
            switch identifier {
            case ServiceFrame.Setting.streams: streamsAllowed = Int(value)
            case ServiceFrame.Setting.headerTable: headers.resize(Int(value))
            case ServiceFrame.Setting.window:
                flights.widen(by: try windows.resizeStreams(Int(value)))
            default: break
            }
        }
        try windows.countControl(at: .now())
        // In front of all requests: a service may refuse streams above the old number until it has
        // the acknowledgement.
        writer.acknowledgeSettings()
        if phase == .opening {
            phase = .open
            way.untried = []
            watch()
            pool?.opened(self)
        }
        writeUnsent()
        pool?.pumpSoon()
    }

    private func receive(
        _ block: ByteBuffer,
        _ id: UInt32,
        endsStream: Bool
    ) throws(FrameFault) {
        // Most answers are a status of 200 and nothing else.
        if endsStream, AnswerHead.isGood(block), var flight = flights.remove(id) {
            flight.answer = flight.answer ?? RelayAnswer(status: 200)
            return finish(flight, id)
        }
        guard var flight = flights[id] else { return }
        if flight.answer == nil {
            switch try AnswerHead.read(block) {
            case .answer(let answer): flight.answer = answer
            case .informational: break
            case .tooLong: return refuse(id, endsStream: endsStream)
            }
        }
        guard endsStream else {
            flights[id] = flight
            return
        }
        _ = flights.remove(id)
        finish(flight, id)
    }

    private func receive(_ bytes: ByteBuffer, _ size: Int, _ id: UInt32, endsStream: Bool) {
        if let increment = windows.receive(size) { writer.windowUpdate(by: increment) }
        flights.append(bytes, to: id)
        if let size = flights[id]?.answer?.body.count, size > RelayAnswer.bodyBytesMax {
            writer.reset(id, ServiceFrame.Code.cancel)
            fail(id, .oversized)
        } else if endsStream, let flight = flights.remove(id) {
            finish(flight, id)
        }
    }

    /// An answer with headers that are not read.
    private func refuse(_ id: UInt32, endsStream: Bool) {
        guard flights[id] != nil else { return }
        if !endsStream { writer.reset(id, ServiceFrame.Code.cancel) }
        fail(id, .oversized)
    }

    /// The last of an answer came; its request is not in flight any more.
    private func finish(_ flight: StreamFlights.Flight, _ id: UInt32) {
        guard let answer = flight.answer else {
            return end(flight, .unanswered("an answer without a status"))
        }
        hasAnswered = true
        silentInRow = 0
        pool?.answered()
        flight.request.end(.success(answer), at: health.heardAt)
        if flight.isUnsent { writer.reset(id, ServiceFrame.Code.cancel) }
        if answer.status >= 400 {
            let word = StreamReason.read(answer.body)
            if StreamReason.isOfConnection(word) { drain(word) }
            if answer.status == 403, isOfCredential(word) { pool?.retire(word) }
        }
        endIfIdle()
        pool?.pumpSoon()
    }

    private func receiveReset(_ code: UInt32, _ id: UInt32) {
        guard let flight = flights[id] else { return }
        guard code == ServiceFrame.Code.refusedStream else {
            let word = code == ServiceFrame.Code.internalError ? "INTERNAL_ERROR" : "\(code)"
            return fail(id, .unanswered("RST_STREAM \(word)"))
        }
        _ = flights.remove(id)
        pool?.repeats(flight.request, "REFUSED_STREAM")
        endIfIdle()
        pool?.pumpSoon()
    }

    private func receiveGoAway(_ last: UInt32, _ code: UInt32, _ bytes: ByteBuffer) {
        let word = StreamReason.read(Array(bytes.readableBytesView))
        if phase != .closed { phase = .draining }
        reason = word.isEmpty ? "GOAWAY \(code)" : word
        let refused = flights.removeAll(above: last).map(\.request)
        pool?.goneAway(self, word)
        // In their order, before those that wait.
        for request in refused.reversed() {
            if isOfCredential(word) {
                request.end(.failure(.refused(word)))
            } else {
                pool?.repeats(request, reason)
            }
        }
        endIfIdle()
        pool?.pumpSoon()
    }

    private func fail(_ id: UInt32, _ failure: CarrierFailure) {
        if let flight = flights.remove(id) { end(flight, failure) }
    }

    private func end(_ flight: StreamFlights.Flight, _ failure: CarrierFailure) {
        flight.request.end(.failure(failure))
        endIfIdle()
        pool?.pumpSoon()
    }

    private func answerPing(_ data: UInt64) throws(FrameFault) {
        try windows.countControl(at: .now())
        writer.ping(data, isAnswer: true)
    }

    // MARK: Windows

    private func grow(_ id: UInt32, by increment: Int) throws(FrameFault) {
        if id == 0 {
            try windows.grow(by: increment)
            writeUnsent()
            pool?.pumpSoon()
        } else if flights.grow(id, by: increment) {
            writeUnsent()
        }
    }

    /// Writes what waited for windows, the oldest first.
    private func writeUnsent() {
        for id in flights.unsent() {
            guard var flight = flights[id] else { continue }
            write(&flight, id)
            flights[id] = flight
        }
    }

    /// Writes as much of a request's content as the windows allow.
    private func write(_ flight: inout StreamFlights.Flight, _ id: UInt32) {
        guard flight.isUnsent else { return }
        let body = flight.request.request.body
        let size = min(body.count - flight.sent, flight.window, windows.connection)
        guard size > 0 else { return }
        let end = flight.sent + size
        writer.data(id, body[flight.sent..<end], isLast: end == body.count)
        flight.sent = end
        flight.window -= size
        windows.connection -= size
    }

    /// Asks a silent service for a sign of life.
    private func watch() {
        guard let context else { return }
        health.start(on: context.eventLoop) { [weak self] step in
            guard let self else { return }
            switch step {
            case .ask:
                writer.ping(1, isAnswer: false)
                flush()
            case .dead: close("no answer to a PING")
            }
        }
    }
}
