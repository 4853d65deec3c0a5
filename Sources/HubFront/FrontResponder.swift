import AsyncHTTPClient
import HubCluster
package import HubREST
import HubTransport
package import HubVocabulary
package import Hummingbird
import NIOCore
import NIOHTTP1

/// Answers every request of a node that does not lead: by carrying it to the node that does.
///
/// It answers what concerns the node itself. Source: Decisions/AnyNodeServes.
package struct FrontResponder<Context: FrontContext>: HTTPResponder {
    /// Operations that wait for an event, or for a push service.
    private static var patient: Set<String> { ["listEvents", "checkRelay", "skipRelay"] }

    /// Operations whose requests are small, and many at once.
    private static var bundled: Set<String> { ["send", "sendDirect"] }

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
        let service = FrontService(keys: front.keys, numbers: numbers, described: described) {
            await front.cluster()
        }
        itself = HubResponder(node: service, configuration: configuration)
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
            var answer = itself.fail(request, .unled(Self.misdirected))
            answer.headers[FrontProof.headerName] = FrontProof.misdirected
            return answer
        }
        var answer = try await self.answer(request, context)
        // Clients of HTTP/1.1 send nothing more on a connection that is about to end.
        if front.isLeaving, context.channel.parent?.parent == nil {
            answer.headers[.connection] = "close"
        }
        return answer
    }

    private func answer(_ request: Request, _ context: Context) async throws -> Response {
        let path = request.head.path ?? "/"
        let target = RequestTarget(path)
        let method = request.head.method.rawValue
        let row = RouteTable.row(method: method, target: path)
        if row?.name == "health" {
            return try FrontHealth.response(
                front.watch.leader,
                trouble: front.trouble(now: Clock.now.instant),
                asksForLeader: target.value("leads") != nil
            )
        }
        await front.keys.refresh()
        if let row, row.isOfNode {
            return try await itself.respond(to: request, context: context)
        }
        let limit = bodyLimit(row, method)
        let length = request.headers[.contentLength].flatMap(Int.init) ?? limit
        let bytes = max(0, min(length, limit))
        let isKnown = itself.opens(request)
        guard let place = front.budget.enter(bytes: bytes, isKnown: isKnown) else {
            return fail(request, .crowded)
        }
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
        let isPatient = row.map { Self.patient.contains($0.name) } ?? false || target.flag("test")
        let key = rule == .withKey && request.headers[Self.key] == nil ? FrontProof.newKey() : nil
        let carried = Carried(
            request: request,
            body: body,
            rule: rule,
            key: key,
            hub: isKnown && rule == .withKey ? Self.hub(ofBundled: row, target) : nil,
            limit: isPatient ? front.limits.patientMilliseconds : front.limits.answerMilliseconds,
            place: place
        )
        var answer = try await carry(carried, context)
        // With it the client may repeat a send that is in doubt.
        if let key { answer.headers[Self.key] = key }
        return answer
    }

    /// A request that goes to leaders until one of them answers.
    private struct Carried {
        var request: Request
        var body: [UInt8]
        var rule: CarryRule
        /// The one that the front gives it; nil where it has its own, or needs none.
        var key: String?
        /// The hub of a send that may share a bundle; nil for a request that goes alone.
        var hub: String?
        /// Milliseconds that an answer may take.
        var limit: UInt64
        /// Held until the answer is passed on.
        var place: RequestBudget.Place
    }

    /// Bytes of the body that are read; 0 where it means nothing.
    private func bodyLimit(_ row: RouteRow?, _ method: String) -> Int {
        guard let row else { return ["POST", "PUT", "PATCH"].contains(method) ? bodyBytesMax : 0 }
        guard case .read(let note) = row.body else { return 0 }
        return note.bytesMax ?? bodyBytesMax
    }

    private static func hub(ofBundled row: RouteRow?, _ target: RequestTarget) -> String? {
        guard let row, bundled.contains(row.name) else { return nil }
        return target.rawSegments.first.map(String.init)
    }

    private func carry(_ carried: Carried, _ context: Context) async throws -> Response {
        let loop = context.channel.eventLoop
        let request = carried.request
        var plan = CarryPlan(carried.rule, began: Clock.now.instant, limits: front.limits)
        var isHeld = false
        while true {
            let leader = front.watch.leader
            if plan.isInDoubt { FrontEvents.count(.repeated) }
            let tried = try await attempt(carried, context, leader)
            guard let outcome = tried.outcome else { return invalid(request) }
            switch plan.next(after: outcome, now: Clock.now.instant) {
            case .answer:
                FrontEvents.count(.carried)
                return tried.answer ?? fail(request, .unled)
            case .giveUp(let reason): return fail(request, reason)
            case .again(let pause):
                guard !front.watch.isEnding else {
                    return fail(request, plan.isInDoubt ? .unknownOutcome : .unled)
                }
                if !isHeld { FrontEvents.count(FrontEvents.Request.held) }
                isHeld = true
                await front.watch.change(from: leader, within: pause, on: loop)
                try Task.checkCancellation()
            }
        }
    }

    /// One attempt: what became of it, nil for a request that cannot be sent, and the answer.
    private func attempt(
        _ carried: Carried,
        _ context: Context,
        _ leader: LeaderWatch.Leader?
    ) async throws -> (outcome: CarryPlan.Outcome?, answer: Response?) {
        // The node itself answers once it serves.
        guard let leader, leader.run != front.run || front.isLeaving else { return (.unled, nil) }
        if let tried = try await bundled(carried, context, leader) { return tried }
        guard let url = leader.url(of: carried.request.head.path ?? "/") else { return (nil, nil) }
        let client = context.clientAddress
        let proof = front.proof.value(
            client: context.network == nil ? nil : client,
            leader: leader.run
        )
        var sent = HTTPClientRequest(url: url)
        sent.method = HTTPMethod(rawValue: carried.request.head.method.rawValue)
        sent.headers = CarriedHead.request(carried.request, proof: proof, client: client)
        if let key = carried.key { sent.headers.add(name: Self.key.rawName, value: key) }
        if !carried.body.isEmpty { sent.body = .bytes(carried.body) }
        switch try await front.link.send(sent, to: leader, withinMilliseconds: carried.limit) {
        case .invalid: return (nil, nil)
        case .unreached: return (.unreached, nil)
        case .crowded: return (.crowded, nil)
        case .lost: return (.lost, nil)
        case .answered(let answer):
            if answer.headers.contains(name: FrontProof.header) { return (.misdirected, nil) }
            guard let passed = try await response(answer, to: carried) else {
                return (.lost, nil)
            }
            return (Self.outcome(of: passed), passed)
        }
    }

    /// The same for a send that goes with others; nil for a request that goes alone.
    private func bundled(
        _ carried: Carried,
        _ context: Context,
        _ leader: LeaderWatch.Leader
    ) async throws -> (outcome: CarryPlan.Outcome?, answer: Response?)? {
        guard let hub = carried.hub,
            let send = CarriedHead.send(
                carried.request,
                carried.body,
                key: carried.key,
                client: context.network == nil ? nil : context.clientAddress
            ), send.byteCount <= front.limits.bundles.sendBytes
        else { return nil }
        let loop = context.channel.eventLoop
        switch await front.bundler.carry(send, of: hub, to: leader, on: loop) {
        case .cancelled: throw CancellationError()
        case .failed(let outcome): return (outcome, nil)
        case .answered(let answer):
            let passed = CarriedHead.response(answer)
            return (Self.outcome(of: passed), passed)
        }
    }

    private static func outcome(of answer: Response) -> CarryPlan.Outcome {
        switch answer.status.code {
        case 503:
            let isUnknown = answer.headers[FrontProof.outcomeName] != nil
            return isUnknown ? .unanswered : .refused
        // A request that is wrong was wrong before.
        case 200..<400, 400: return .settled
        default: return .declined
        }
    }

    /// The leader's answer for the client; nil when it broke off before any of it was passed on.
    private func response(
        _ answer: HTTPClientResponse,
        to carried: Carried
    ) async throws -> Response? {
        var response = Response(
            status: HTTPResponse.Status(code: Int(answer.status.code)),
            headers: CarriedHead.answer(answer.headers),
            body: ResponseBody()
        )
        let length = answer.headers.first(name: "content-length")
        guard carried.request.head.method != .head, length != "0" else { return response }
        let limits = front.limits
        let whole =
            carried.rule == .withKey ? limits.sendAnswerBytes : limits.wholeAnswerBytes
        let body = try await PassedAnswer.body(of: answer, whole: whole, place: carried.place)
        guard let body else { return nil }
        response.body = body
        return response
    }

    private func invalid(_ request: Request) -> Response {
        let refusal = Refusal.invalid(field: "Request", reason: "its address or a header is none.")
        return itself.fail(request, .refused(refusal))
    }

    private func fail(_ request: Request, _ reason: CarryPlan.Reason) -> Response {
        FrontEvents.count(FrontEvents.Request.refused)
        var answer = itself.fail(request, .unled(Self.sentence(reason)))
        // As a leader says it of a request that its store did not answer.
        if reason == .unknownOutcome {
            answer.headers[FrontProof.outcomeName] = OutcomeHeader.unknown
        }
        return answer
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
        "It is not known whether this request was carried out: look before you repeat it, or repeat "
            + "a send with the Idempotency-Key of this answer."
    }

    private static func sentence(_ reason: CarryPlan.Reason) -> String {
        switch reason {
        case .unled: unled
        case .crowded: busy
        case .unknownOutcome: unknownOutcome
        }
    }
}
