import HubModel
import HubRules
package import HubVocabulary
package import Hummingbird

/// Answers every REST request of a hub; holds no rule of its own.
///
/// The table says what a request means; its handler reads the request, hands one command to the
/// core and prints the reply.
///
/// Source: REST §1.3.
package struct HubResponder<Context: ConnectionContext>: HTTPResponder {
    private let node: any NodeService
    /// nil on a node that has no hubs: it knows only paths that are about itself.
    private let hubs: (any HubService)?
    private let configuration: RESTConfiguration
    private let bodies: BodyReading
    private let refusedBodies: BodyReading

    /// Joins the routes with the service they ask.
    package init(service: any HubService, configuration: RESTConfiguration) {
        self.init(service, hubs: service, configuration)
    }

    /// Joins the routes that are about a node with a node that has no hubs.
    package init(node: any NodeService, configuration: RESTConfiguration) {
        self.init(node, hubs: nil, configuration)
    }

    private init(
        _ node: any NodeService,
        hubs: (any HubService)?,
        _ configuration: RESTConfiguration
    ) {
        self.node = node
        self.hubs = hubs
        self.configuration = configuration
        bodies = BodyReading(deadline: configuration.bodyDeadline)
        refusedBodies = BodyReading(deadline: configuration.refusedBodyDeadline)
    }

    /// Answers one request; every failure is an answer too.
    ///
    /// - Throws: `CancellationError` when the client is gone, so that nothing is written.
    @concurrent
    package func respond(to request: Request, context: Context) async throws -> Response {
        let incoming = IncomingRequest(request, configuration: configuration)
        var event = RESTEvent(trackingID: incoming.tracking.id)
        event.trace = configuration.trace.flatMap { $0(incoming.header("traceparent")) }
        let began = ContinuousClock.now
        let answer: Answer
        var isBodyBegun = false
        do throws(RequestFailure) {
            answer = try await handle(
                request,
                incoming,
                context,
                event: &event,
                isBodyBegun: &isBodyBegun
            )
        } catch {
            if case .cancelled = error {
                await tellUnanswered(event)
                throw CancellationError()
            }
            // A change that is not known to be refused may be in force.
            if case .refused(.storeUnanswered) = error { await tellUnanswered(event) }
            if !isBodyBegun { await passBody(of: request, context) }
            event.subCode = error.subCode
            answer = .failure(error, tracking: incoming.tracking, now: node.now)
        }
        event.status = answer.status
        event.duration = began.duration(to: .now)
        if event.isAdministrative, answer.status < 400 {
            await configuration.onAdministration(event)
        }
        configuration.onAnswer(event)
        return answer.response(tracking: incoming.tracking, isHead: incoming.method == "HEAD")
    }

    /// A change may have been carried out although it has no answer that says so: the audit has it.
    private func tellUnanswered(_ event: RESTEvent) async {
        guard event.isAdministrative, event.rule != nil else { return }
        // What waits for the request is cancelled; this is not.
        await Task { [configuration] in await configuration.onAdministration(event) }.value
    }

    /// Answers a request that the caller has no place for, and reads nothing of it.
    package func refuse(_ request: Request, _ refusal: Refusal) -> Response {
        fail(request, .refused(refusal))
    }

    /// Whether a request's token opens what it is about, by the rules that the service has.
    package func opens(_ request: Request) -> Bool {
        let incoming = IncomingRequest(request, configuration: configuration)
        guard let resource = RouteTable.resource(at: incoming.target.segments),
            // The answer tells why it does not.
            let row = try? resource.row(method: incoming.method, target: incoming.target)
        else { return false }
        return switch row.run {
        case .open, .node(nil, _): true
        // As above.
        case .hub(let right, _): (try? grant(incoming, row.path, right: right)) != nil
        // As above.
        case .node(let right?, _): (try? grant(incoming, row, right: right)) != nil
        case .namespace(let right, let isOpen, _):
            // As above.
            (try? grant(incoming, row, right: right, toHub: isOpen)) != nil
        }
    }

    /// Answers a request that failed before it came to a row, and reads nothing of it.
    package func fail(_ request: Request, _ failure: RequestFailure) -> Response {
        let incoming = IncomingRequest(request, configuration: configuration)
        configuration.onAnswer(
            RESTEvent(
                status: failure.status,
                subCode: failure.subCode,
                trackingID: incoming.tracking.id
            )
        )
        let answer = Answer.failure(failure, tracking: incoming.tracking, now: node.now)
        return answer.response(tracking: incoming.tracking, isHead: incoming.method == "HEAD")
    }

    private func handle(
        _ request: Request,
        _ incoming: IncomingRequest,
        _ context: Context,
        event: inout RESTEvent,
        isBodyBegun: inout Bool
    ) async throws(RequestFailure) -> Answer {
        guard let resource = RouteTable.resource(at: incoming.target.segments) else {
            throw .pathUnknown
        }
        let row = try resource.row(method: incoming.method, target: incoming.target)
        event.operation = row.name
        event.isAdministrative = row.isAdministrative
        if row.isAdministrative { event.subject = incoming.target.shown }
        switch row.run {
        case .node(let right, let handler):
            if let right { event.rule = try grant(incoming, row, right: right).rule }
            return try await handler(node)
        case .open(let handler):
            return try await handler(
                OpenExchange(
                    service: service(),
                    configuration: configuration,
                    incoming: incoming,
                    path: row.path
                )
            )
        case .hub(let right, let handler):
            var exchange = try open(incoming, row.path, right: right)
            // Only who makes registrations is counted.
            let network = right == .listen ? context.network : nil
            exchange.grant.network = network
            (event.hub, event.rule) = (exchange.hub, exchange.grant.rule)
            if !exchange.grant.has(.send) {
                // A key that is in every app decides nothing about the collector.
                event.trace = configuration.trace.flatMap { $0(nil) }
            }
            if let body = try await body(of: request, row, context, isBegun: &isBodyBegun) {
                if context.wholeBody == nil {
                    // Keys may have changed, or the hub gone, while the body was on its way.
                    exchange = try open(incoming, row.path, right: right)
                    exchange.grant.network = network
                }
                exchange.body = body
            }
            exchange.trace = event.trace
            return try await handler(exchange)
        case .namespace(let right, let isOpen, let handler):
            var exchange = try openNamespace(incoming, row, right: right, toHub: isOpen)
            (event.hub, event.rule) = (exchange.name.flatMap(HubName.init), exchange.grant.rule)
            if let body = try await body(of: request, row, context, isBegun: &isBodyBegun) {
                exchange = try openNamespace(incoming, row, right: right, toHub: isOpen)
                exchange.body = body
            }
            return try await handler(exchange)
        }
    }

    /// Whom an operation asks that is about hubs.
    private func service() throws(RequestFailure) -> any HubService {
        guard let hubs else { throw .pathUnknown }
        return hubs
    }

    /// The whole body when it means something, otherwise nil.
    private func body(
        of request: Request,
        _ row: RouteRow,
        _ context: Context,
        isBegun: inout Bool
    ) async throws(RequestFailure) -> [UInt8]? {
        guard case .read(let note) = row.body else { return nil }
        isBegun = true
        return try await bodies.read(
            request,
            limit: note.bytesMax ?? configuration.bodyBytesMax,
            in: context
        )
    }

    /// Takes the small body of a request that is refused by its head, and forgets it.
    ///
    /// Some clients of HTTP/2 wait without end when an answer overtakes their body. A client that
    /// asks first (`Expect`) never sends it.
    private func passBody(of request: Request, _ context: Context) async {
        guard request.headers[.expect] == nil else { return }
        // The request is refused already, whatever becomes of its body.
        _ = try? await refusedBodies.read(
            request,
            limit: configuration.bodyBytesMax,
            in: context
        )
    }

    /// Authorises before anything else of the request is read.
    ///
    /// Source: REST §3.6.
    private func open(
        _ incoming: IncomingRequest,
        _ path: PathPattern,
        right: AccessRight
    ) throws(RequestFailure) -> Exchange {
        let asked = try service()
        let access = try grant(incoming, path, right: right)
        return Exchange(
            service: asked,
            configuration: configuration,
            incoming: incoming,
            path: path,
            hub: access.hub,
            grant: access.grant
        )
    }

    /// The hub that a request is about, and the rights of its token there.
    private func grant(
        _ incoming: IncomingRequest,
        _ path: PathPattern,
        right: AccessRight
    ) throws(RequestFailure) -> (hub: HubName, grant: AccessGrant) {
        let name = path.place(of: "hub").map { incoming.target.segments[$0] } ?? []
        guard let hub = HubName(String(decoding: name, as: UTF8.self)) else {
            let shown = String(String(decoding: name, as: UTF8.self).prefix(64))
            throw .refused(.hubNotFound(name: shown))
        }
        let access = AccessRequest(
            authorization: incoming.header("Authorization"),
            host: incoming.hostName,
            path: incoming.target.path,
            hub: hub,
            right: right
        )
        return (hub, try refusing { () throws(Refusal) in try node.authorize(access) })
    }
}

extension HubResponder {
    /// Authorises a request about the namespace's hubs before anything else of it is read.
    private func openNamespace(
        _ incoming: IncomingRequest,
        _ row: RouteRow,
        right: AccessRight,
        toHub isOpenToHub: Bool
    ) throws(RequestFailure) -> NamespaceExchange {
        try NamespaceExchange(
            service: service(),
            configuration: configuration,
            incoming: incoming,
            name: Self.hubName(incoming, row),
            grant: grant(incoming, row, right: right, toHub: isOpenToHub)
        )
    }

    private static func hubName(_ incoming: IncomingRequest, _ row: RouteRow) -> String? {
        row.path.place(of: "hub").map { place in
            String(decoding: incoming.target.segments[place], as: UTF8.self)
        }
    }

    /// The rights of a token of the namespace.
    private func grant(
        _ incoming: IncomingRequest,
        _ row: RouteRow,
        right: AccessRight,
        toHub isOpenToHub: Bool = false
    ) throws(RequestFailure) -> AccessGrant {
        let access = NamespaceAccessRequest(
            authorization: incoming.header("Authorization"),
            host: incoming.hostName,
            path: incoming.target.path,
            hub: Self.hubName(incoming, row).flatMap(HubName.init),
            right: right,
            isOpenToHub: isOpenToHub,
            isUse: row.isUseOfKey
        )
        return try refusing { () throws(Refusal) in try node.authorizeNamespace(access) }
    }
}

/// The responder for a server or a test, with Hummingbird's plain request context.
package func makeRouter(
    service: any HubService,
    configuration: RESTConfiguration
) -> HubResponder<BasicRequestContext> {
    HubResponder(service: service, configuration: configuration)
}
