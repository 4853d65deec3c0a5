import HubConsole
import HubFront
import HubHTTP
import HubREST
import HubTransport
import HubVocabulary
import Hummingbird
import NIOCore
import Synchronization

/// Answers requests, also those that it has no place for.
protocol RESTAnswering: HTTPResponder where Context == RESTContext {
    /// Answers without reading anything of the body.
    func refuse(_ request: Request, _ refusal: Refusal) -> Response
}

extension ConsoleResponder: RESTAnswering where Context == RESTContext {}
extension FrontResponder: RESTAnswering where Context == RESTContext {}

/// In front of the responders of hub and console, or of a front: what needs the connection or the
/// bound port.
final class RESTResponder<Inner: RESTAnswering>: HTTPResponder {
    typealias Context = RESTContext

    private let responder: Mutex<Inner>
    private let places: RequestPlaces
    /// Reads what fronts say of their clients; nil where none carries anything here.
    private let carrying: FrontReading?

    init(_ responder: Inner, places: RequestPlaces, carrying: FrontReading? = nil) {
        self.responder = Mutex(responder)
        self.places = places
        self.carrying = carrying
    }

    /// Replaces the responder, once the port is known and before the first request.
    func use(_ responder: Inner) {
        self.responder.withLock { $0 = responder }
    }

    @concurrent
    func respond(to request: Request, context: RESTContext) async throws -> Response {
        let responder = responder.withLock { $0 }
        if let carrying, FrontProof.isCarried(request) {
            guard let client = carrying.client(of: request) else {
                return carrying.refusal(responder.refuse(request, .stopping))
            }
            if let front = context.own { carrying.trust.learn(front) }
            if request.head.path == FrontBundle.path {
                return try await FrontBundle.response(
                    to: request,
                    in: context,
                    within: carrying.bodies
                ) { send, body, client in
                    var context = context
                    context.carried = client
                    context.wholeBody = body
                    return try await responder.respond(to: send, context: context)
                }
            }
            var context = context
            context.carried = client
            return try await admit(request, context: context, by: responder)
        }
        return try await admit(request, context: context, by: responder)
    }

    private func admit(
        _ request: Request,
        context: RESTContext,
        by responder: Inner
    ) async throws -> Response {
        guard let connection = Self.connection(ofStream: context.channel) else {
            return try await respond(to: request, context: context, by: responder)
        }
        if case .refused(let hasOthers) = places.enter(context.channel, of: connection) {
            // Others of its streams may still carry the answers to durable sends.
            if !hasOthers { connection.leaveAfterAnswer() }
            // A body would wait for a window that is not opened, and its stream with it.
            var refusal = responder.refuse(request, .throttled(retryAfterSeconds: 1))
            refusal.body = ResponseBody()
            return refusal
        }
        defer { places.answered(context.channel) }
        return try await respond(to: request, context: context, by: responder)
    }

    private func respond(
        to request: Request,
        context: RESTContext,
        by responder: Inner
    ) async throws -> Response {
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
    /// The connection of a stream of HTTP/2; nil when the channel is a connection itself.
    ///
    /// A stream's channel has the connection's as its parent, and that one the listener's.
    private static func connection(ofStream channel: any Channel) -> (any Channel)? {
        channel.parent.flatMap { $0.parent == nil ? nil : $0 }
    }

    /// Whether a request that may need a body has a head that promises none.
    ///
    /// Only HTTP/1: the streams of HTTP/2 have an end of their own.
    private static func lacksLength(_ request: Request, _ channel: any Channel) -> Bool {
        guard request.headers[.contentLength] == nil, request.headers[.transferEncoding] == nil,
            connection(ofStream: channel) == nil
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
