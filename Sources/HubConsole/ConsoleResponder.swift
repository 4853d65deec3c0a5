package import HubREST
import HubRules
package import HubVocabulary
package import Hummingbird

/// In front of the REST API: answers what lies under `/$belfry/ui/`, and leads browsers there.
package struct ConsoleResponder<Context: ConnectionContext>: HTTPResponder {
    private let rest: HubResponder<Context>
    private let console: ConsoleConfiguration
    private let bodies: BodyReading

    /// Joins the console with the responder of everything else.
    package init(_ rest: HubResponder<Context>, _ console: ConsoleConfiguration) {
        self.rest = rest
        self.console = console
        bodies = BodyReading(deadline: console.rest.bodyDeadline)
    }

    /// Answers a request that the caller has no place for, and reads nothing of it.
    package func refuse(_ request: Request, _ refusal: Refusal) -> Response {
        rest.refuse(request, refusal)
    }

    /// Answers one request, here or in the REST API.
    @concurrent
    package func respond(to request: Request, context: Context) async throws -> Response {
        let path = request.head.path ?? "/"
        let isOurs = path.hasPrefix(PageAddress.base) || Self.isFrontDoor(request, path)
        guard isOurs, isReachable(request, context) else {
            return try await rest.respond(to: request, context: context)
        }
        let incoming = IncomingRequest(request, configuration: console.rest)
        let reply: ConsoleReply
        do throws(RequestFailure) {
            reply = try await answer(request, incoming, context)
        } catch {
            if case .cancelled = error { throw CancellationError() }
            reply = ErrorPage.reply(error, incoming)
        }
        return reply.response(tracking: incoming.tracking.id, isHead: incoming.method == "HEAD")
    }

    /// Whether a browser asks for the server itself.
    private static func isFrontDoor(_ request: Request, _ path: String) -> Bool {
        path == "/" && request.head.method == .get && request.headers[.authorization] == nil
            && request.headers[.accept]?.contains("text/html") == true
    }

    /// Whether this client may know that there is a console.
    private func isReachable(_ request: Request, _ context: Context) -> Bool {
        switch console.access {
        case .on: return true
        case .off: return false
        case .loopback:
            if let token = Self.relay(request) { return console.signIns.isRelay(token) }
            // A proxy on this machine makes everyone a neighbour.
            let traces = ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"]
            return context.network == nil
                && !traces.contains { name in
                    HTTPFields.Element.Name(name).map { request.headers[$0] != nil } ?? false
                }
        }
    }

    private static func relay(_ request: Request) -> String? {
        HTTPFields.Element.Name("Belfry-Relay").flatMap { request.headers[$0] }
    }

    /// The way in of a relay, when it is open.
    private func openRelay(_ request: Request) -> String? {
        Self.relay(request).flatMap { console.signIns.isRelay($0) ? $0 : nil }
    }

    private func answer(
        _ request: Request,
        _ incoming: IncomingRequest,
        _ context: Context
    ) async throws(RequestFailure) -> ConsoleReply {
        guard console.names.isEmpty || console.names.contains(incoming.hostName.lowercased())
        else { return ErrorPage.misdirected }
        let target = incoming.target
        if target.path == "/" { return .seeOther(PageAddress.base) }
        if target.rawSegments.count > 3, target.rawSegments[2] == "a" {
            return ConsoleReply.asset(target.path)
        }
        if target.segments == SignInPage.segments {
            return try await signIn(request, incoming, context)
        }
        guard let row = PageTable.row(method: incoming.method, segments: target.segments) else {
            let allowed = PageTable.methods(at: target.segments)
            return allowed.isEmpty ? ErrorPage.unknown : ErrorPage.method(allowed)
        }
        let isEffect = row.method == "POST"
        guard !isEffect || SameOrigin.holds(for: incoming) else { return ErrorPage.foreign }
        let cookie = SessionCookie.value(in: incoming.header("Cookie"))
        let isPoll = target.flag("live")
        let isRelayed = openRelay(request) != nil
        var visit = console.signIns.visit(cookie: cookie, isRelayed: isRelayed, isPoll: isPoll)
        let begun = visit
        defer { if case .open(let session, _) = begun { console.signIns.leave(session) } }
        var fields = FormFields()
        if isEffect, case .open = begun {
            guard let sent = try await form(request, incoming, context) else {
                return ErrorPage.noForm
            }
            fields = sent
            // The session may have ended while the form was on its way.
            visit = console.signIns.revisit(cookie: cookie, isRelayed: isRelayed)
        }
        switch visit {
        case .open(let session, let isFresh):
            return try await PageRun(
                console: console,
                incoming: incoming,
                row: row,
                session: session,
                isFresh: isFresh,
                formToken: ConsoleSecret.formToken(of: cookie),
                fields: fields
            ).reply()
        case .tooFast: throw .refused(.throttled(retryAfterSeconds: 1))
        case .none:
            return isEffect || isPoll
                ? ErrorPage.signedOut : .seeOther(SignInPage.address(backTo: incoming))
        }
    }

    /// The fields of a form; nil of a body that says it is none, which is not read.
    private func form(
        _ request: Request,
        _ incoming: IncomingRequest,
        _ context: Context
    ) async throws(RequestFailure) -> FormFields? {
        guard FormFields.isForm(incoming.header("Content-Type")) else { return nil }
        let limits = console.limits.form
        let body = try await bodies.read(request, limit: limits.bytesMax, in: context)
        return try FormFields(body, limits: limits)
    }

    private func signIn(
        _ request: Request,
        _ incoming: IncomingRequest,
        _ context: Context
    ) async throws(RequestFailure) -> ConsoleReply {
        switch incoming.method {
        case "GET", "HEAD": return SignInPage.form(backTo: incoming.target.value("back") ?? [])
        case "POST": break
        default: return ErrorPage.method(["GET", "HEAD", "POST"])
        }
        guard SameOrigin.holds(for: incoming) else { return ErrorPage.foreign }
        guard let fields = try await form(request, incoming, context) else {
            return ErrorPage.noForm
        }
        return try await SignInPage.take(
            fields,
            console,
            network: context.network,
            relay: openRelay(request),
            tracking: incoming.tracking.id
        )
    }
}
