package import HubCore
package import Hummingbird

/// Answers every REST request of a hub; holds no rule of its own.
///
/// Each route reads the request, asks for one right, hands one command to the core and prints the
/// reply.
///
/// Source: REST §1.3.
package struct HubResponder<Context: RequestContext>: HTTPResponder {
    private let service: any HubService
    private let configuration: RESTConfiguration

    /// Joins the routes with the service they ask.
    package init(service: any HubService, configuration: RESTConfiguration) {
        self.service = service
        self.configuration = configuration
    }

    /// Answers one request; every failure is an answer too.
    ///
    /// - Throws: `CancellationError` when the client is gone, so that nothing is written.
    @concurrent
    package func respond(to request: Request, context: Context) async throws -> Response {
        let incoming = IncomingRequest(request, configuration: configuration)
        var event = RESTEvent(
            operation: .unknown,
            status: 0,
            subCode: 0,
            trackingID: incoming.tracking.id
        )
        let answer: Answer
        do throws(RequestFailure) {
            answer = try await handle(request, incoming, operation: &event.operation)
        } catch {
            if case .cancelled = error { throw CancellationError() }
            event.subCode = error.subCode
            answer = .failure(error, tracking: incoming.tracking, now: service.now)
        }
        event.status = answer.status
        configuration.onAnswer(event)
        return answer.response(tracking: incoming.tracking, isHead: incoming.method == "HEAD")
    }

    private func handle(
        _ request: Request,
        _ incoming: IncomingRequest,
        operation: inout RESTOperation
    ) async throws(RequestFailure) -> Answer {
        let route = Route(incoming.target.segments)
        guard route != .unknown else { throw .pathUnknown }
        guard route.allowed.contains(incoming.method) else {
            throw .methodNotAllowed(allowed: route.allowed)
        }
        guard case .hub(let name, let resource) = route else {
            operation = .health
            return HealthRoute.answer(problems: service.problems)
        }
        let asked = resource.operation(method: incoming.method, target: incoming.target)
        operation = asked.0
        let exchange = try open(incoming, hub: name, right: asked.1)
        let body =
            asked.0.readsBody
            ? try await BodyReading.read(request, configuration: configuration) : []
        return switch resource {
        case .messages: try await SendRoute.send(exchange, body: body)
        case .registrationIDs: try await RegistrationRoutes.reserve(exchange)
        case .registrations where asked.0 == .createRegistration:
            try await RegistrationRoutes.create(exchange, body: body)
        case .registrations: try await RegistrationListRoute.list(exchange, tag: nil)
        case .taggedRegistrations(let tag):
            try await RegistrationListRoute.list(exchange, tag: tag)
        case .registration(let id) where asked.0 == .putRegistration:
            try await RegistrationRoutes.put(exchange, id: id, body: body)
        case .registration(let id) where asked.0 == .deleteRegistration:
            try await RegistrationRoutes.delete(exchange, id: id)
        case .registration(let id): try await RegistrationRoutes.get(exchange, id: id)
        }
    }

    /// Authorises before anything else of the request is read.
    ///
    /// Source: REST §3.6.
    private func open(
        _ incoming: IncomingRequest,
        hub name: [UInt8],
        right: AccessRight
    ) throws(RequestFailure) -> Exchange {
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
        let grant = try refusing { () throws(Refusal) in try service.authorize(access) }
        return Exchange(
            service: service,
            configuration: configuration,
            incoming: incoming,
            hub: hub,
            grant: grant
        )
    }
}

/// The responder for a server or a test, with Hummingbird's plain request context.
package func makeRouter(
    service: any HubService,
    configuration: RESTConfiguration
) -> HubResponder<BasicRequestContext> {
    HubResponder(service: service, configuration: configuration)
}

extension RESTOperation {
    /// Whether the request's body means something.
    fileprivate var readsBody: Bool {
        switch self {
        case .send, .createRegistration, .putRegistration: true
        case .health, .reserveRegistrationID, .getRegistration, .deleteRegistration,
            .listRegistrations, .unknown:
            false
        }
    }
}
