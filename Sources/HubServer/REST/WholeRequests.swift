import HubHTTP
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Answers small requests that came whole, in front of what handles all others.
///
///     idle ──head──▶ gathering ──end──▶ answering ──answer written──▶ idle
///      └──any other──▶ passing ◀──too slow──┘
///
/// Hummingbird reads a request as one sequence of parts and writes its answer as another, each with
/// locks and changes of tasks. A request that is there from head to end has one task instead. Parts
/// that come meanwhile wait, and so does what is written behind: answers keep their order.
/// Source: Decisions/WholeRequests.
final class WholeRequests: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum State {
        /// No request is under way.
        case idle
        /// A request of which all was read; it may come whole.
        case gathering(HTTPRequest, ByteBuffer)
        /// A request has its answer made here.
        case answering
        /// Requests that have theirs made behind this handler; `isRead` when the last one is whole.
        case passing(unanswered: Int, isRead: Bool)
    }

    /// What was asked from behind while an answer was made.
    private enum Kept {
        case write(NIOAny, EventLoopPromise<Void>?)
        case flush
        case close(CloseMode, EventLoopPromise<Void>?)
    }

    private let rule: WholeRequestRule
    private var state = State.idle
    /// Parts that came while an answer was made.
    private var held: [HTTPRequestPart] = []
    private var kept: [Kept] = []
    /// Whether the channel is to read on once nothing is held.
    private var isReadKept = false
    /// Ends the wait for the rest of a request.
    private var patience: Scheduled<Void>?
    /// Who the client is, once the balancer told.
    private var told: ToldAddress?

    init(_ rule: WholeRequestRule) { self.rule = rule }

    func handlerRemoved(context: ChannelHandlerContext) { patience?.cancel() }

    // MARK: From the client

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        take(unwrapInboundIn(data), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        waitForRest(context)
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // What has begun to come is answered, and those behind see to that.
        if event is ChannelShouldQuiesceEvent || event is ChannelEvent { passGathered(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        passGathered(context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        passGathered(context)
        context.fireChannelInactive()
    }

    private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch state {
        case .answering: held.append(part)
        case .passing: pass(part, context)
        case .idle:
            guard case .head(let head) = part, rule.mayBeWhole(head) else {
                return pass(part, context)
            }
            state = .gathering(head, ByteBuffer())
        case .gathering(let head, let body):
            switch part {
            case .body(var piece):
                var whole = body
                if whole.readableBytes == 0 { whole = piece } else { whole.writeBuffer(&piece) }
                state = .gathering(head, whole)
            case .end(nil): answer(head, body, context)
            case .head, .end:
                passGathered(context)
                pass(part, context)
            }
        }
    }

    private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        var (unanswered, isRead) = (0, true)
        if case .passing(let before, let wasRead) = state {
            (unanswered, isRead) = (before, wasRead)
        }
        switch part {
        case .head: (unanswered, isRead) = (unanswered + 1, false)
        case .body: break
        case .end: isRead = true
        }
        state = isRead && unanswered == 0 ? .idle : .passing(unanswered: unanswered, isRead: isRead)
        context.fireChannelRead(wrapInboundOut(part))
    }

    /// Gives what was gathered to those behind.
    private func passGathered(_ context: ChannelHandlerContext) {
        guard case .gathering(let head, let body) = state else { return }
        patience?.cancel()
        patience = nil
        pass(.head(head), context)
        if body.readableBytes > 0 { pass(.body(body), context) }
    }

    private func waitForRest(_ context: ChannelHandlerContext) {
        guard case .gathering = state, patience == nil else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        patience = context.eventLoop.scheduleTask(in: WholeRequestRule.patience) {
            let (handler, context) = bound.value
            handler.passGathered(context)
            context.fireChannelReadComplete()
        }
    }

    // MARK: From those behind

    func read(context: ChannelHandlerContext) {
        if case .answering = state, !held.isEmpty { isReadKept = true } else { context.read() }
    }

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        if case .answering = state { return kept.append(.write(data, promise)) }
        if case .end = unwrapOutboundIn(data), case .passing(let unanswered, let isRead) = state {
            let left = unanswered - 1
            state = isRead && left <= 0 ? .idle : .passing(unanswered: left, isRead: isRead)
        }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        if case .answering = state { kept.append(.flush) } else { context.flush() }
    }

    func close(
        context: ChannelHandlerContext,
        mode: CloseMode,
        promise: EventLoopPromise<Void>?
    ) {
        if case .answering = state { return kept.append(.close(mode, promise)) }
        context.close(mode: mode, promise: promise)
    }

    // MARK: Answers

    private func answer(
        _ head: HTTPRequest,
        _ body: ByteBuffer,
        _ context: ChannelHandlerContext
    ) {
        patience?.cancel()
        patience = nil
        state = .answering
        if rule.isProxied, told == nil { told = ToldAddress.of(context.channel) }
        let making = WholeAnswer(
            rule: rule,
            head: head,
            body: body,
            told: told,
            channel: context.channel,
            place: NIOLoopBound((self, context), eventLoop: context.eventLoop)
        )
        // Its task runs on the connection's loop, as those of other requests do.
        Task(executorPreference: LoopExecutor.of(context.eventLoop)) { await making.make() }
    }

    fileprivate func write(_ part: HTTPResponsePart, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(part), promise: nil)
    }

    /// Writes a piece of the answer; the next one waits for the end of that.
    fileprivate func flush(
        _ piece: ByteBuffer,
        _ context: ChannelHandlerContext
    ) -> EventLoopFuture<Void> {
        let taken = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.body(piece)), promise: taken)
        return taken.futureResult
    }

    /// The rest of the answer is missing, which its client must not take for all of it.
    fileprivate func broken(_ context: ChannelHandlerContext) {
        (state, held) = (.idle, [])
        context.close(promise: nil)
        carryOutKept(context)
    }

    /// The answer ends; what came and was asked for meanwhile is next, in its order.
    fileprivate func answered(_ last: ByteBuffer?, _ context: ChannelHandlerContext) {
        if let last { write(.body(last), context) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        state = .idle
        let parts = held
        held = []
        for part in parts where context.channel.isActive { take(part, context) }
        if case .answering = state { return }
        carryOutKept(context)
        if !parts.isEmpty {
            waitForRest(context)
            context.fireChannelReadComplete()
        }
        guard isReadKept else { return }
        isReadKept = false
        context.read()
    }

    private func carryOutKept(_ context: ChannelHandlerContext) {
        let asked = kept
        kept = []
        for one in asked {
            switch one {
            case .write(let data, let promise):
                write(context: context, data: data, promise: promise)
            case .flush: context.flush()
            case .close(let mode, let promise): context.close(mode: mode, promise: promise)
            }
        }
    }
}

/// An answer on its way from the responder to the connection.
private struct WholeAnswer: Sendable {
    let rule: WholeRequestRule
    let head: HTTPRequest
    let body: ByteBuffer
    /// Who the client is, as its balancer told.
    let told: ToldAddress?
    let channel: any Channel
    let place: NIOLoopBound<(WholeRequests, ChannelHandlerContext)>

    func make() async {
        let response: Response
        if let told {
            response = await ToldAddress.$current.withValue(told) { await respond() }
        } else {
            response = await respond()
        }
        place.value.0.write(.head(response.head), place.value.1)
        let pieces = AnswerPieces { piece in
            try await place.eventLoop.flatSubmit {
                place.value.0.flush(piece, place.value.1)
            }.get()
        }
        do {
            if response.body.contentLength != 0 { try await response.body.write(pieces) }
            place.value.0.answered(pieces.last, place.value.1)
        } catch {
            place.value.0.broken(place.value.1)
        }
    }

    private func respond() async -> Response {
        let request = Request(head: head, body: RequestBody(buffer: body))
        return await rule.answer(to: request, body, on: channel)
    }
}

/// The body of an answer in pieces, of which each waits for the one before it.
///
/// The last is kept, so that it goes with the end of the answer.
private final class AnswerPieces: ResponseBodyWriter, Sendable {
    private let kept = Mutex<ByteBuffer?>(nil)
    private let send: @Sendable (ByteBuffer) async throws -> Void

    init(_ send: @escaping @Sendable (ByteBuffer) async throws -> Void) { self.send = send }

    /// The last piece; nil when there was none.
    var last: ByteBuffer? { kept.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        let before = kept.withLock { kept in
            defer { kept = buffer }
            return kept
        }
        if let before { try await send(before) }
    }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
