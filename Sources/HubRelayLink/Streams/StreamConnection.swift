import HubRelay
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOTLS

/// One HTTP/2 connection to a service: its requests in flight, its window, its end.
///
/// Lives on one event loop, above the handler that reads and writes frames.
final class StreamConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    enum Phase {
        /// TLS, or the service's first settings, are awaited.
        case opening
        case open
        /// Takes no request any more and ends with the last answer.
        case draining
        case closed
    }

    private struct Flight {
        let request: StreamRequest
        var answer: RelayAnswer?
    }

    /// Deadlines in a row after which the connection counts as a black hole.
    private static let silentMax = 3
    /// Received bytes after which the service may send as many again.
    private static let windowStep = 32_768
    /// The last stream number that is used.
    private static let lastStream = 2_000_000_000

    private weak var pool: StreamPool?
    private let options: CarrierOptions
    private var context: ChannelHandlerContext?
    private(set) var phase = Phase.opening
    private(set) var hasAnswered = false
    private var flights: [HTTP2StreamID: Flight] = [:]
    private var next = HTTP2StreamID(1)
    private var streamsAllowed = 0
    private var window = 65_535
    private var received = 0
    private var silentInRow = 0
    private var headers: StreamHeaders
    private var health: StreamHealth
    private(set) var reason = ""

    init(_ pool: StreamPool, _ options: CarrierOptions, _ headers: StreamHeaders) {
        self.pool = pool
        self.options = options
        self.headers = headers
        health = StreamHealth(options.times)
    }

    var isLive: Bool { phase == .opening || phase == .open }

    func hasRoom(for request: RelayRequest) -> Bool {
        phase == .open && flights.count < min(streamsAllowed, options.streamsMax)
            && window >= request.body.count
    }

    /// Writes a request; `flush` sends it.
    func send(_ request: StreamRequest) {
        guard let context else { return request.end(.failure(.lost(reason))) }
        let id = next
        next = HTTP2StreamID(Int(id) + 2)
        let body = request.request.body
        let block = HTTP2Frame.FramePayload.Headers(
            headers: headers.block(request.request),
            endStream: body.isEmpty
        )
        flights[id] = Flight(request: request)
        request.place = (self, id)
        write(context, id, .headers(block))
        if !body.isEmpty {
            window -= body.count
            let data = IOData.byteBuffer(ByteBuffer(bytes: body))
            write(context, id, .data(.init(data: data, endStream: true)))
        }
        if Int(id) >= Self.lastStream { drain("stream numbers are used up") }
    }

    func flush() { context?.flush() }

    /// A request's time is over: the stream ends, and a connection that answers nothing too.
    func abandon(_ id: HTTP2StreamID) {
        guard flights.removeValue(forKey: id) != nil, let context else { return }
        write(context, id, .rstStream(.cancel))
        context.flush()
        silentInRow += 1
        if silentInRow >= Self.silentMax { drain("\(silentInRow) requests in a row got no answer") }
        endIfIdle()
        pool?.pump()
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
        } else if self.reason != reason, !StreamReason.isOfCredential(self.reason) {
            self.reason += ", then " + reason
        }
        guard let context else { return end() }
        context.close(promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOHTTP2Errors.StreamError {
            return fail(error.streamID, .unanswered("\(error.baseError)"))
        }
        if !StreamFrames.isOfOneStream(error) { close("\(error)") }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let name)? = event as? TLSUserEvent, name != "h2" {
            close("the service does not speak HTTP/2")
        }
        if let event = event as? NIOHTTP2WindowUpdatedEvent, event.streamID == .rootStream,
            let size = event.outboundWindowSize
        {
            let grows = size > window
            window = size
            if grows { pool?.pump() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        health.heard(at: context.eventLoop.now)
        switch frame.payload {
        case .headers(let block): receive(block, frame.streamID)
        case .data(let data): receive(data, frame.streamID)
        case .rstStream(let code): receiveReset(code, frame.streamID)
        case .settings(.settings(let settings)): receive(settings)
        case .goAway(let last, let code, let bytes): receiveGoAway(last, code, bytes)
        case .settings(.ack), .ping, .priority, .pushPromise, .windowUpdate, .alternativeService,
            .origin:
            break
        }
    }

    private func write(
        _ context: ChannelHandlerContext,
        _ id: HTTP2StreamID,
        _ payload: HTTP2Frame.FramePayload
    ) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
    }

    private func endIfIdle() {
        if phase == .draining, flights.isEmpty { close(reason) }
    }

    /// The connection is gone: requests without an answer learn why.
    private func end() {
        guard phase != .closed else { return }
        phase = .closed
        health.stop()
        let left = flights.values.map(\.request)
        flights = [:]
        let failure: CarrierFailure =
            StreamReason.isOfCredential(reason) ? .refused(reason) : .lost(reason)
        for request in left { request.end(.failure(failure)) }
        pool?.ended(self)
    }
}

/// Frames of the service.
extension StreamConnection {
    private func receive(_ settings: [HTTP2Setting]) {
        if phase == .opening { streamsAllowed = options.streamsMax }
        for setting in settings where setting.parameter == .maxConcurrentStreams {
            streamsAllowed = setting.value
        }
        if phase == .opening {
            phase = .open
            watch()
            pool?.opened(self)
        }
        // Behind the acknowledgement of the settings, which is written in this turn: a service may
        // refuse streams above the old number until it has that.
        context?.eventLoop.assumeIsolated().execute { [weak self] in self?.pool?.pump() }
    }

    private func receive(_ block: HTTP2Frame.FramePayload.Headers, _ id: HTTP2StreamID) {
        guard let flight = flights[id] else { return }
        if flight.answer == nil, let text = block.headers.first(name: ":status"),
            let status = Int(text), status >= 200
        {
            let fields = block.headers.filter { !$0.name.hasPrefix(":") }
                .map { (name: $0.name, value: $0.value) }
            flights[id]?.answer = RelayAnswer(status: status, headers: fields)
        }
        if block.endStream { finish(id) }
    }

    private func receive(_ data: HTTP2Frame.FramePayload.Data, _ id: HTTP2StreamID) {
        let count = data.data.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
        received += count
        if received >= Self.windowStep, let context {
            write(context, .rootStream, .windowUpdate(windowSizeIncrement: received))
            context.flush()
            received = 0
        }
        if case .byteBuffer(let buffer) = data.data {
            flights[id]?.answer?.body += buffer.readableBytesView
        }
        if let size = flights[id]?.answer?.body.count, size > RelayAnswer.bodyBytesMax {
            fail(id, .oversized)
            if let context {
                write(context, id, .rstStream(.cancel))
                context.flush()
            }
        } else if data.endStream {
            finish(id)
        }
    }

    private func finish(_ id: HTTP2StreamID) {
        guard let flight = flights.removeValue(forKey: id) else { return }
        guard let answer = flight.answer else {
            return flight.request.end(.failure(.unanswered("an answer without a status")))
        }
        hasAnswered = true
        silentInRow = 0
        pool?.answered()
        flight.request.end(.success(answer))
        if answer.status != 200 {
            let word = StreamReason.read(answer.body)
            if StreamReason.isOfConnection(word) { drain(word) }
            if answer.status == 403, StreamReason.isOfCredential(word) { pool?.retire(word) }
        }
        endIfIdle()
        pool?.pump()
    }

    private func receiveReset(_ code: HTTP2ErrorCode, _ id: HTTP2StreamID) {
        guard let flight = flights[id] else { return }
        guard code == .refusedStream else {
            let word = code == .internalError ? "INTERNAL_ERROR" : "\(code.networkCode)"
            return fail(id, .unanswered("RST_STREAM \(word)"))
        }
        flights[id] = nil
        pool?.repeats(flight.request, "REFUSED_STREAM")
        endIfIdle()
        pool?.pump()
    }

    private func receiveGoAway(
        _ last: HTTP2StreamID,
        _ code: HTTP2ErrorCode,
        _ bytes: ByteBuffer?
    ) {
        let word = StreamReason.read(bytes.map { Array($0.readableBytesView) } ?? [])
        if phase != .closed { phase = .draining }
        reason = word.isEmpty ? "GOAWAY \(code.networkCode)" : word
        let above = flights.keys.filter { $0 > last }.sorted()
        let refused = above.compactMap { flights.removeValue(forKey: $0)?.request }
        pool?.goneAway(self, word)
        // In their order, before those that wait.
        for request in refused.reversed() {
            if StreamReason.isOfCredential(word) {
                request.end(.failure(.refused(word)))
            } else {
                pool?.repeats(request, reason)
            }
        }
        endIfIdle()
        pool?.pump()
    }

    private func fail(_ id: HTTP2StreamID, _ failure: CarrierFailure) {
        guard let flight = flights.removeValue(forKey: id) else { return }
        flight.request.end(.failure(failure))
        endIfIdle()
        pool?.pump()
    }

    /// Asks a silent service for a sign of life.
    private func watch() {
        guard let context else { return }
        health.start(on: context.eventLoop) { [weak self] step in
            guard let self, let context = self.context else { return }
            switch step {
            case .ask:
                write(context, .rootStream, .ping(HTTP2PingData(withInteger: 1), ack: false))
                context.flush()
            case .dead: close("no answer to a PING")
            }
        }
    }
}
