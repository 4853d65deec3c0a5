import HubVocabulary
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A server's end of one HTTP/2 connection, with the faults that a client must bear.
final class FakeStreams: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// Bytes of answered requests after which a client may send as many again.
    private static let windowStep = 16_384
    /// Bytes of a frame's content at most, as long as no client allows more.
    private static let frameBytes = 16_384
    /// A client that was told to leave has so long.
    private static let leaveSeconds: Int64 = 30

    private let judge: RequestJudge
    private let number: Int
    private var requests: [HTTP2StreamID: FakeRequest] = [:]
    /// Streams whose answers are still to come.
    private var open: Set<HTTP2StreamID> = []
    /// Bytes of requests that are not answered, which the client's window still lacks.
    private var unreturned: [HTTP2StreamID: Int] = [:]
    private var returned = 0
    private var isAccepted = false
    /// The last stream that is processed, once the connection leaves.
    private var last: HTTP2StreamID?

    init(_ judge: RequestJudge) {
        self.judge = judge
        number = judge.connect()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let block):
            guard requests[frame.streamID] == nil else { return }
            requests[frame.streamID] = request(block.headers, frame.streamID, context)
            if block.endStream { finish(frame.streamID, context) }
        case .data(let data):
            if case .byteBuffer(let buffer) = data.data {
                requests[frame.streamID]?.body += buffer.readableBytesView
                unreturned[frame.streamID, default: 0] += buffer.readableBytes
            }
            if data.endStream { finish(frame.streamID, context) }
        case .rstStream:
            requests[frame.streamID] = nil
            end(frame.streamID, context)
        case .settings, .goAway, .ping, .priority, .pushPromise, .windowUpdate,
            .alternativeService, .origin:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Streams that a client reset are written to here; the connection goes on.
        let isOfOneStream =
            error is NIOHTTP2Errors.StreamError || error is NIOHTTP2Errors.NoSuchStream
            || error is NIOHTTP2Errors.StreamClosed
            || error is NIOHTTP2Errors.CreatedStreamAfterGoaway
        if !isOfOneStream { context.close(promise: nil) }
    }

    private func request(
        _ headers: HPACKHeaders,
        _ id: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) -> FakeRequest {
        FakeRequest(
            method: headers.first(name: ":method") ?? "",
            authority: headers.first(name: ":authority") ?? headers.first(name: "host") ?? "",
            path: headers.first(name: ":path") ?? "",
            headers: headers.filter { !$0.name.hasPrefix(":") }.map { ($0.name, $0.value) },
            body: [],
            connection: number,
            stream: Int(id),
            certifiedTopic: CallerCertificate.topic(context.pipeline)
        )
    }

    private func finish(_ id: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard let request = requests.removeValue(forKey: id) else { return }
        if let last, id > last { return end(id, context) }
        open.insert(id)
        let decision = judge.take(request)
        switch decision.fault {
        case .refuse: reset(id, .refusedStream, context)
        case .reset: reset(id, .internalError, context)
        case .goAway(let reason): leave(before: id, reason, context)
        case .drop: context.close(promise: nil)
        case .silence: break
        case .freeze(let seconds): freeze(seconds, context)
        case .slow(let milliseconds):
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) {
                let (handler, context) = bound.value
                handler.answer(decision.answer, id, context)
                context.flush()
            }
            return
        case .streams(let limit):
            isAccepted = true
            settings(limit, context)
        case .wide:
            if let wide = decision.answer { write(wide, inPiecesTo: id, context) }
            return
        case nil, .answer, .huge: break
        }
        answer(decision.answer, id, context)
    }

    private func answer(
        _ answer: FakeAnswer?,
        _ id: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        guard let answer, open.contains(id), context.channel.isActive else { return }
        if !isAccepted, answer.status != 403 {
            isAccepted = true
            if judge.streams.then != judge.streams.first { settings(judge.streams.then, context) }
        }
        var headers = HPACKHeaders([(":status", "\(answer.status)")])
        for (name, value) in answer.headers { headers.add(name: name, value: value) }
        let isEmpty = answer.body.isEmpty
        write(context, id, .headers(.init(headers: headers, endStream: isEmpty)))
        if !isEmpty {
            let data = IOData.byteBuffer(ByteBuffer(bytes: answer.body))
            write(context, id, .data(.init(data: data, endStream: true)))
        }
        end(id, context)
    }

    /// A stream is over: the client's window gets its bytes back.
    private func end(_ id: HTTP2StreamID, _ context: ChannelHandlerContext) {
        open.remove(id)
        returned += unreturned.removeValue(forKey: id) ?? 0
        guard returned >= Self.windowStep || (open.isEmpty && returned > 0) else { return }
        write(context, .rootStream, .windowUpdate(windowSizeIncrement: returned))
        returned = 0
    }

    private func settings(_ limit: Int, _ context: ChannelHandlerContext) {
        let setting = HTTP2Setting(parameter: .maxConcurrentStreams, value: limit)
        write(context, .rootStream, .settings(.settings([setting])))
    }

    private func reset(
        _ id: HTTP2StreamID,
        _ code: HTTP2ErrorCode,
        _ context: ChannelHandlerContext
    ) {
        end(id, context)
        write(context, id, .rstStream(code))
    }

    /// Streams from this one on are not processed; earlier ones get their answers.
    private func leave(before id: HTTP2StreamID, _ reason: String, _ context: ChannelHandlerContext)
    {
        end(id, context)
        let last = HTTP2StreamID(max(0, Int(id) - 2))
        self.last = last
        let time = Int(context.eventLoop.now.uptimeNanoseconds / 1_000_000)
        let text = reason.isEmpty ? nil : "{\"reason\":\"\(reason)\",\"timestamp\":\(time)}"
        context.flush()
        write(goAwayBehind: last, Array((text ?? "").utf8), context)
        // The client closes: a close from here could overtake answers that it did not read yet.
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .seconds(Self.leaveSeconds)) {
            channel.close(promise: nil)
        }
    }

    /// A late frame of a dropped stream would be a fault to the handler of frames.
    ///
    ///     | last: u32 | no error: u32 | data |
    private func write(
        goAwayBehind last: HTTP2StreamID,
        _ data: [UInt8],
        _ context: ChannelHandlerContext
    ) {
        var content: [UInt8] = []
        content.appendBigEndian(UInt32(Int(last)))
        content.appendBigEndian(UInt32(0))
        write(below: context, Self.frame(7, flags: 0, .rootStream, content + data))
    }

    /// Headers of more bytes than a frame holds, which the handler of frames does not write: HEADERS
    /// that ends the stream, and CONTINUATION with the rest.
    private func write(
        _ answer: FakeAnswer,
        inPiecesTo id: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        var rest = Self.block(answer)[...]
        var bytes: [UInt8] = []
        while !rest.isEmpty {
            let part = rest.prefix(Self.frameBytes)
            rest = rest.dropFirst(part.count)
            let isFirst = bytes.isEmpty
            let flags: UInt8 = (isFirst ? 0x1 : 0) | (rest.isEmpty ? 0x4 : 0)
            bytes += Self.frame(isFirst ? 1 : 9, flags: flags, id, Array(part))
        }
        context.flush()
        write(below: context, bytes)
        end(id, context)
    }

    /// A header block whose fields stay out of the client's table; none is longer than 126 bytes.
    private static func block(_ answer: FakeAnswer) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in [(":status", "\(answer.status)")] + answer.headers {
            precondition(name.utf8.count < 127 && value.utf8.count < 127)
            block += [0, UInt8(name.utf8.count)] + name.utf8
            block += [UInt8(value.utf8.count)] + value.utf8
        }
        return block
    }

    /// The bytes of a frame.
    ///
    ///     | length: u24 | kind | flags | stream: u32 | content |
    private static func frame(
        _ kind: UInt8,
        flags: UInt8,
        _ id: HTTP2StreamID,
        _ content: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt32(content.count) << 8 | UInt32(kind))
        bytes.append(flags)
        bytes.appendBigEndian(UInt32(Int(id)))
        return bytes + content
    }

    /// Writes frames that the handler of frames does not know of.
    private func write(below context: ChannelHandlerContext, _ bytes: [UInt8]) {
        guard
            // A connection that ends meanwhile has no such handler.
            let frames = try? context.pipeline.syncOperations.context(
                handlerType: NIOHTTP2Handler.self
            )
        else { return }
        frames.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// As a stopped process: the kernel takes bytes, and nothing reads them.
    private func freeze(_ seconds: Int, _ context: ChannelHandlerContext) {
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenComplete { _ in }
        context.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
            channel.setOption(.autoRead, value: true).whenComplete { _ in }
        }
    }

    private func write(
        _ context: ChannelHandlerContext,
        _ id: HTTP2StreamID,
        _ payload: HTTP2Frame.FramePayload
    ) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
    }
}
