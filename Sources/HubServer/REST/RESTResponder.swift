import HubHTTP
import HubREST
import Hummingbird
import NIOCore
import Synchronization

/// In front of the hub's responder: what needs the connection or the bound port.
final class RESTResponder: HTTPResponder {
    typealias Context = RESTContext

    private let responder: Mutex<HubResponder<RESTContext>>

    init(_ responder: HubResponder<RESTContext>) { self.responder = Mutex(responder) }

    /// Replaces the responder, once the port is known and before the first request.
    func use(_ responder: HubResponder<RESTContext>) { self.responder.withLock { $0 = responder } }

    @concurrent
    func respond(to request: Request, context: RESTContext) async throws -> Response {
        let responder = responder.withLock { $0 }
        if Self.lacksLength(request, context.channel) {
            var bare = request
            bare.body = RequestBody(asyncSequence: MissingBody())
            return try await responder.respond(to: bare, context: context)
        }
        guard request.headers[.expect]?.lowercased() == "100-continue" else {
            return try await responder.respond(to: request, context: context)
        }
        var awaited = request
        awaited.body = RequestBody(
            asyncSequence: ContinuedBody(body: request.body, channel: context.channel)
        )
        return try await responder.respond(to: awaited, context: context)
    }
}

extension RESTResponder {
    /// Whether a request that may need a body has a head that promises none.
    ///
    /// Only HTTP/1: the streams of HTTP/2 have an end of their own. A stream's channel has the
    /// connection's as its parent, and that one the listener's.
    private static func lacksLength(_ request: Request, _ channel: any Channel) -> Bool {
        guard request.headers[.contentLength] == nil, request.headers[.transferEncoding] == nil,
            channel.parent?.parent == nil
        else { return false }
        return request.method == .post || request.method == .put || request.method == .patch
    }
}

/// The body of a request without one; operations that read none never notice.
private struct MissingBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    struct Iterator: AsyncIteratorProtocol {
        mutating func next() async throws -> ByteBuffer? { throw LengthMissing() }
    }

    func makeAsyncIterator() -> Iterator { Iterator() }
}

/// A body that its client holds back until it is asked for: a request that is refused by its head
/// never sends it.
private struct ContinuedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> Iterator {
        Iterator(channel: channel, base: body.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var channel: (any Channel)?
        fileprivate var base: RequestBody.AsyncIterator

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            if let channel {
                self.channel = nil
                try await channel.sendContinue()
            }
            return try await base.next()
        }
    }
}
