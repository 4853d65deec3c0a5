import Foundation
import HubSender
import Hummingbird
import HubHTTP
import Logging

/// The routes of the backend; every one of them knows first who asks.
///
/// | request | does |
/// |---|---|
/// | `POST /api/login` | gives an access token, and a Listen token for a first connection |
/// | `POST /api/logout` | ends every access token and registration of the user |
/// | `POST /api/register[?handle=H]` | gives the id of a registration |
/// | `PUT`, `DELETE /api/register/{id}` | writes and deletes it |
/// | `POST /api/notifications?pns=P&to_tag=U` | sends a text to a user |
/// | `POST /api/notifications` | keeps content and wakes its addressee |
/// | `GET`, `HEAD /api/notifications/{id}` | serves content to its addressee |
struct BackendResponder: HTTPResponder {
    typealias Context = BackendContext

    let authenticator: UserAuthenticator
    let sender: SenderClient
    let logins: LoginRoutes
    let registrations: UserRegistrationRoutes
    let messages: MessageRoutes
    let content: ContentRoutes
    let bodies: MemoryBudget
    let limits: BackendLimits
    let logger: Logger

    @concurrent
    func respond(to request: Request, context: BackendContext) async throws -> Response {
        let end = BodyEnd(of: request)
        var noted = request
        noted.body = RequestBody(asyncSequence: TrackedBody(body: request.body, end: end))
        var response = await answerOrRefuse(noted, context)
        // A body would be taken for the beginning of the next answer.
        if request.method == .head { response = response.createHeadResponse() }
        if !end.isReached {
            // The rest is not waited for: a client that was refused could send it for ever.
            response.headers[.connection] = "close"
            context.channel.leaveAfterAnswer()
        }
        return response
    }

    private func answerOrRefuse(_ request: Request, _ context: BackendContext) async -> Response {
        do {
            return try await answer(request, context)
        } catch let refusal as BackendRefusal {
            if refusal.status >= 500 { note(request, refusal.message) }
            return .refusing(refusal)
        } catch let error as SenderError {
            note(request, "\(error)")
            let path = request.uri.path.lowercased()
            let isSend = request.method == .post && path.hasPrefix("/api/notifications")
            return .refusing(BackendRefusal(error, isRepeatable: !isSend))
        } catch {
            note(request, "\(error)")
            return .refusing(BackendRefusal(500, "something went wrong here"))
        }
    }

    /// Never a body, a header or a query: they hold secrets.
    private func note(_ request: Request, _ reason: String) {
        logger.warning("\(request.method.rawValue) failed", metadata: ["reason": "\(reason)"])
    }

    private func answer(_ request: Request, _ context: BackendContext) async throws -> Response {
        let path = request.uri.path.split(separator: "/").map(String.init)
        guard path.count >= 2, path[0].lowercased() == "api", path.count <= 3 else {
            throw BackendRefusal(404, "there is nothing here")
        }
        guard !request.isOfForeignPage else {
            throw BackendRefusal(403, "a page of another site asks for this")
        }
        let now = Int64(Date.now.timeIntervalSince1970)
        let caller = try await authenticator.caller(
            authorization: request.headers[.authorization],
            address: context.address,
            now: now
        )
        let asked = UserRequest(
            http: request,
            caller: caller,
            now: now,
            sender: sender,
            limits: limits,
            bodies: bodies
        )
        let id = path.count == 3 ? path[2] : nil
        switch (path[1].lowercased(), request.method, id) {
        case ("login", .post, nil):
            guard caller.accessToken == nil else { throw BackendRefusal.unauthorized }
            return try await logins.logIn(asked)
        case ("logout", .post, nil): return try await logins.logOut(asked)
        case ("register", .post, nil): return try await registrations.reserve(asked)
        case ("register", .put, let id?): return try await registrations.put(id, asked)
        case ("register", .delete, let id?): return try await registrations.delete(id, asked)
        case ("notifications", .post, nil):
            if request.parameter("pns") != nil || request.parameter("to_tag") != nil {
                return try await messages.send(asked)
            }
            return try await content.post(asked)
        case ("notifications", .get, let id?), ("notifications", .head, let id?):
            return try await content.get(id, asked)
        case ("login", _, nil), ("logout", _, nil), ("register", _, nil), ("notifications", _, nil):
            throw Self.methods("POST")
        case ("register", _, _?): throw Self.methods("PUT, DELETE")
        case ("notifications", _, _?): throw Self.methods("GET, HEAD")
        default: throw BackendRefusal(404, "there is nothing here")
        }
    }

    private static func methods(_ allowed: String) -> BackendRefusal {
        BackendRefusal(
            405,
            "only \(allowed) is possible here",
            headers: [.allow: allowed]
        )
    }
}

extension Request {
    /// Whether a browser sends this for a page of another site, perhaps with the password that it
    /// remembers.
    ///
    /// Browsers say so themselves; other clients send neither header. Such a page cannot read what a
    /// GET answers.
    fileprivate var isOfForeignPage: Bool {
        guard method != .get, method != .head else { return false }
        if let name = HTTPFields.Element.Name("Sec-Fetch-Site"), let site = headers[name] {
            return site != "same-origin" && site != "none"
        }
        guard let origin = headers[.origin] else { return false }
        return head.authority.map { origin != "https://\($0)" } ?? true
    }
}
