import AsyncHTTPClient
package import HubREST
import HubTransport
package import HubVocabulary
package import Hummingbird
import NIOCore
import NIOHTTP1

/// Answers every request of a node that does not lead: by carrying it to the node that does.
///
/// What concerns the node itself, it answers. Source: Decisions/AnyNodeServes.
package struct FrontResponder<Context: FrontContext>: HTTPResponder {
    /// Operations about the node that is asked.
    private static var own: Set<String> { ["metrics", "describeServer", "describe"] }

    private let front: NodeFront
    private let itself: HubResponder<Context>
    private let bodies: BodyReading
    private let bodyBytesMax: Int

    /// Carries for a node, which answers with its own numbers and description.
    package init(
        _ front: NodeFront,
        _ configuration: RESTConfiguration,
        numbers: @escaping @Sendable () -> String,
        described: @escaping @Sendable () -> ServerDescription
    ) {
        self.front = front
        let service = FrontService(keys: front.keys, numbers: numbers, described: described)
        itself = HubResponder(service: service, configuration: configuration)
        bodies = BodyReading(deadline: configuration.bodyDeadline)
        bodyBytesMax = configuration.bodyBytesMax
    }

    /// Answers a request that the caller has no place for, and reads nothing of it.
    package func refuse(_ request: Request, _ refusal: Refusal) -> Response {
        itself.refuse(request, refusal)
    }

    /// Answers one request, here or by the leader.
    ///
    /// - Throws: `CancellationError` when the client is gone, so that nothing is written.
    @concurrent
    package func respond(to request: Request, context: Context) async throws -> Response {
        if FrontProof.isCarried(request) {
            // From a front that took this node for the leader; it is never carried any further.
            var answer = fail(request, Self.misdirected)
            answer.headers[FrontProof.headerName] = FrontProof.misdirected
            return answer
        }
        let target = RequestTarget(request.head.path ?? "/")
        let method = request.head.method.rawValue
        let row = RouteTable.row(method: method, target: request.head.path ?? "/")
        if row?.name == "health" {
            return try FrontHealth.response(
                front.watch.leader,
                asksForLeader: target.value("leads") != nil
            )
        }
        if let row, Self.own.contains(row.name) {
            await front.keys.refresh()
            return try await itself.respond(to: request, context: context)
        }
        let limit = bodyLimit(row, method)
        let length = request.headers[.contentLength].flatMap(Int.init) ?? limit
        let bytes = max(0, min(length, limit))
        guard front.budget.enter(bytes: bytes) else { return fail(request, Self.busy) }
        defer { front.budget.leave(bytes: bytes) }
        var body: [UInt8] = []
        if limit > 0 {
            do throws(RequestFailure) {
                body = try await bodies.read(request, limit: limit, in: context)
            } catch {
                if case .cancelled = error { throw CancellationError() }
                return itself.fail(request, error)
            }
        }
        let rule = CarryRule(
            row,
            method: method,
            target: target,
            isConditional: request.headers[.ifMatch] != nil
        )
        return try await carry(request, body, rule, context)
    }

    /// Bytes of the body that are read; 0 where it means nothing.
    private func bodyLimit(_ row: RouteRow?, _ method: String) -> Int {
        guard let row else { return ["POST", "PUT", "PATCH"].contains(method) ? bodyBytesMax : 0 }
        guard case .read(let note) = row.body else { return 0 }
        return note.bytesMax ?? bodyBytesMax
    }

    private func carry(
        _ request: Request,
        _ body: [UInt8],
        _ rule: CarryRule,
        _ context: Context
    ) async throws -> Response {
        let loop = context.channel.eventLoop
        var plan = CarryPlan(rule, began: Clock.now.instant, limits: front.limits)
        let key = rule == .withKey && request.headers[Self.key] == nil ? FrontProof.newKey() : nil
        var isHeld = false
        while true {
            let leader = front.watch.leader
            if plan.isInDoubt { FrontEvents.count(.repeated) }
            let (outcome, answer) = try await attempt(request, body, key, context, leader)
            guard let outcome else {
                guard let answer else { preconditionFailure("an answer, or why there is none") }
                FrontEvents.count(.carried)
                return answer
            }
            switch plan.next(after: outcome, now: Clock.now.instant) {
            case .answer: return answer ?? fail(request, Self.unled)
            case .giveUp(.unled): return fail(request, Self.unled)
            case .giveUp(.unknownOutcome): return fail(request, Self.unknownOutcome)
            case .again(let pause):
                guard !front.watch.isEnding else {
                    return fail(request, plan.isInDoubt ? Self.unknownOutcome : Self.unled)
                }
                if !isHeld { FrontEvents.count(.held) }
                isHeld = true
                await front.watch.change(from: leader, within: pause, on: loop)
                try Task.checkCancellation()
            }
        }
    }

    /// One attempt: what became of it, and what was answered; no outcome where that is the answer.
    private func attempt(
        _ request: Request,
        _ body: [UInt8],
        _ key: String?,
        _ context: Context,
        _ leader: LeaderWatch.Leader?
    ) async throws -> (CarryPlan.Outcome?, Response?) {
        guard let leader else { return (.unled, nil) }
        let client = context.clientAddress
        let proof = front.proof.value(
            client: context.network == nil ? nil : client,
            leader: leader.run
        )
        var carried = HTTPClientRequest(url: LeaderLink.url(request.head.path ?? "/", at: leader))
        carried.method = HTTPMethod(rawValue: request.head.method.rawValue)
        carried.headers = CarriedHead.request(request, proof: proof, client: client)
        if let key { carried.headers.add(name: Self.key.rawName, value: key) }
        if !body.isEmpty { carried.body = .bytes(body) }
        switch try await front.link.send(carried, to: leader) {
        case .unreached: return (.unreached, nil)
        case .lost: return (.lost, nil)
        case .answered(let answer):
            if answer.headers.contains(name: FrontProof.header) { return (.misdirected, nil) }
            guard let response = try await response(answer, isHead: request.head.method == .head)
            else { return (.lost, nil) }
            let isRefusal = answer.status == .serviceUnavailable
            return (isRefusal ? .refused : nil, response)
        }
    }

    /// The leader's answer for the client; nil when it broke off before any of it was passed on.
    private func response(_ answer: HTTPClientResponse, isHead: Bool) async throws -> Response? {
        var response = Response(
            status: HTTPResponse.Status(code: Int(answer.status.code)),
            headers: CarriedHead.answer(answer.headers),
            body: ResponseBody()
        )
        let length = answer.headers.first(name: "content-length").flatMap(Int.init)
        guard !isHead, length != 0 else { return response }
        guard let length, length > front.limits.wholeAnswerBytes else {
            do {
                let most = length ?? front.limits.wholeAnswerBytes
                response.body = ResponseBody(
                    byteBuffer: try await answer.body.collect(upTo: most)
                )
                return response
            } catch {
                guard !Task.isCancelled else { throw CancellationError() }
                return nil
            }
        }
        let body = answer.body
        response.body = ResponseBody(contentLength: length) { writer in
            for try await piece in body { try await writer.write(piece) }
            try await writer.finish(nil)
        }
        return response
    }

    private func fail(_ request: Request, _ reason: String) -> Response {
        FrontEvents.count(.refused)
        return itself.fail(request, .unled(reason))
    }
}

extension FrontResponder {
    private static var key: HTTPFields.Element.Name { FrontProof.keyName }

    private static var misdirected: String {
        "This node does not lead, and a request is carried once: repeat it."
    }
    private static var busy: String {
        "This node carries as many requests to the one that leads as it may: repeat it later."
    }
    private static var unled: String {
        "No node led the hubs in time, and nothing was carried out: repeat the request."
    }
    private static var unknownOutcome: String {
        "The node that led was lost with this request: look whether it was carried out before you "
            + "repeat it."
    }
}
