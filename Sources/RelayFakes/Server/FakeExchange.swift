import NIOCore
import NIOHTTP1

/// A server's end of one HTTP/1.1 connection; of the faults it knows those that have a meaning here.
final class FakeExchange: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let judge: RequestJudge
    private let number: Int
    private var request: FakeRequest?
    private var requests = 0

    init(_ judge: RequestJudge) {
        self.judge = judge
        number = judge.connect()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            requests += 1
            request = FakeRequest(
                method: head.method.rawValue,
                authority: head.headers.first(name: "host") ?? "",
                path: head.uri,
                headers: head.headers.filter { $0.name.lowercased() != "host" }
                    .map { ($0.name.lowercased(), $0.value) },
                body: [],
                connection: number,
                stream: requests,
                certifiedTopic: nil
            )
        case .body(let buffer): request?.body += buffer.readableBytesView
        case .end:
            guard let request else { return }
            self.request = nil
            finish(request, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func finish(_ request: FakeRequest, _ context: ChannelHandlerContext) {
        let decision = judge.take(request)
        switch decision.fault {
        case .refuse, .reset, .goAway, .drop: context.close(promise: nil)
        case .silence, .freeze: break
        case .slow(let milliseconds):
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) {
                let (handler, context) = bound.value
                handler.answer(decision.answer, context)
            }
        case nil, .answer, .huge, .wide, .streams: answer(decision.answer, context)
        }
    }

    private func answer(_ answer: FakeAnswer?, _ context: ChannelHandlerContext) {
        guard let answer, context.channel.isActive else { return }
        var headers = HTTPHeaders(answer.headers)
        headers.replaceOrAdd(name: "content-length", value: "\(answer.body.count)")
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: answer.status),
            headers: headers
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let body = IOData.byteBuffer(ByteBuffer(bytes: answer.body))
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
