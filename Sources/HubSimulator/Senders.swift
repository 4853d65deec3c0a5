import HubClient
import HubDirectory
import HubModel
import HubTags
import HubTemplates
import HubVocabulary

/// Senders, operators and the backend: their requests, and what was answered.
final class Senders {
    let world: World
    let ledger: Ledger
    let machine: Machine
    let devices: Devices
    let answers = SimulatedAnswers()
    var workload = Workload()
    /// Requests with many sends.
    var manySends = ManySendCounts()

    init(_ devices: Devices) {
        world = devices.world
        ledger = devices.ledger
        machine = devices.machine
        self.devices = devices
    }

    // MARK: Drawing

    /// A new notification; its number.
    func draw(_ due: Timestamp?) -> Int {
        let number = workload.texts.count
        let isTemplate = world.below(10) < 3
        let platform = World.platforms[Int(world.below(20) < 14 ? 0 : 1 + world.below(2))]
        var body = Array(
            (isTemplate ? "{\"text\":\"\(number)\"}" : "{\"aps\":{\"alert\":\"\(number)\"}}").utf8
        )
        if !isTemplate, world.oneIn(12) {
            // So large that a window or a socket fills.
            let filling = [UInt8](
                repeating: UInt8(ascii: "x"),
                count: Int(500 + world.below(3_500))
            )
            let head = Array("{\"aps\":{\"alert\":\"\(number)\"},\"x\":\"".utf8)
            body = head + filling + Array("\"}".utf8)
        }
        var draft = NotificationDraft(
            format: isTemplate ? .template : .native(platform),
            target: target(isTemplate: isTemplate, platform),
            body: body,
            timeToLive: timeToLive(),
            priority: [.low, .normal, .normal, .high][Int(world.below(4))]
        )
        // Each of these bodies is a bag.
        if isTemplate { draft.properties = try? PropertyBag(json: body.span) }
        if world.plan.collapses, world.oneIn(3) {
            draft.collapseKey = [UInt8(ascii: "k") + UInt8(world.below(2))]
        }
        if world.oneIn(2), world.plan.nodes?.usesKeys != false {
            draft.idempotency = IdempotencyKey(
                scope: KeyHash(of: Array("key \(number)".utf8)),
                fingerprint: KeyHash(of: body)
            )
        }
        ledger.texts[body] = number
        workload.texts.append(Workload.Text(draft: draft, due: due))
        return number
    }

    private func target(isTemplate: Bool, _ platform: Platform) -> NotificationTarget {
        let kind = world.below(20)
        if kind < 4 { return .broadcast }
        if kind < 6, !isTemplate {
            let known = devices.all.compactMap { $0.stored.state.identity?.handleText }
            let named = known.filter { _ in world.oneIn(2) }.map { Array($0.uppercased().utf8) }
            if !named.isEmpty { return .handles(named) }
        }
        var formula = Formula.draw(&world.random)
        if world.oneIn(10) {
            let id = Workload.installations[Int(world.below(UInt64(Workload.installations.count)))]
            formula = .tag("$installationid:{\(String(decoding: id, as: UTF8.self))}")
        }
        let text = formula.text
        ledger.formulas[text] = formula
        do throws(TagError) {
            return .tags(try TagExpression(parsing: Array(text.utf8)))
        } catch {
            preconditionFailure("an expression of the simulation is refused: \(text), \(error)")
        }
    }

    private func timeToLive() -> TimeToLive {
        switch world.below(10) {
        case 0: .transient
        case 1: .seconds(UInt32(1 + world.below(20)))
        case 2: .seconds(UInt32(60 + world.below(600)))
        case 3: .seconds(UInt32(1_000 + world.below(6_000)))
        default: .seconds(UInt32(50_000 + world.below(500_000)))
        }
    }

    /// Hands a request to the writer; `told` hears the answer, unless the hub's process ends before.
    func ask<Request: HubRequest>(
        _ request: Request,
        as call: Workload.Call,
        told: @escaping @Sendable (Senders, Result<Request.Reply, Refusal>) -> Void
    ) {
        guard let hub = machine.addressee else { return }
        let number = workload.begin(call, at: hub.life)
        let answers = self.answers
        let asked = request.call { result in
            answers.add { senders in
                guard senders.workload.end(number) else {
                    senders.world.violate("an answer to nobody")
                    return
                }
                told(senders, senders.heard(result))
            }
        }
        guard !hub.isStopping else {
            asked.refuse(.stopping)
            return takeAnswers()
        }
        machine.submit(.call(asked), to: hub)
    }

    /// A refusal by a process that may be led no longer is none.
    private func heard<Value>(_ result: Result<Value, Refusal>) -> Result<Value, Refusal> {
        guard let hub = machine.speaker, !hub.mayAnswer(at: world) else { return result }
        return result.mapError(\.behindLease)
    }

    // MARK: Requests

    func sendSome() {
        guard machine.hub != nil else { return }
        if world.plan.sendsMany, world.oneIn(3) { return sendMany() }
        for _ in 0..<(world.oneIn(4) ? 1 + world.below(5) : 1) {
            submitText(draw(nil))
        }
    }

    func scheduleOne() {
        guard machine.hub != nil else { return }
        submitText(draw(Timestamp(milliseconds: world.now.time.milliseconds + world.below(25_000))))
    }

    /// Repeats a request whose sender gave it a key.
    func repeatOne() {
        guard machine.hub != nil, workload.texts.count > workload.firstText else { return }
        let span = UInt64(min(workload.texts.count - workload.firstText, 24))
        let index = workload.texts.count - 1 - Int(world.below(span))
        let text = workload.texts[index]
        guard text.draft.idempotency != nil, !text.isCancelled, !text.isCancelling, !text.isUnfit
        else { return }
        workload.noteElsewhere(index)
        submitText(index)
    }

    /// Sends another notification with a key that was used: it is refused, unless the first one never
    /// became durable.
    func repeatWithOther() {
        guard machine.hub != nil, workload.texts.count > workload.firstText else { return }
        let span = UInt64(min(workload.texts.count - workload.firstText, 24))
        let index = workload.texts.count - 1 - Int(world.below(span))
        let text = workload.texts[index]
        guard let key = text.draft.idempotency, text.due == nil, !text.isUnfit else { return }
        workload.noteElsewhere(index)
        let other = draw(nil)
        workload.texts[other].draft.idempotency = IdempotencyKey(
            scope: key.scope,
            fingerprint: KeyHash(of: workload.texts[other].draft.body)
        )
        workload.texts[other].hasOthersKey = true
        submitText(other)
    }

    private func submitText(_ index: Int) {
        let text = workload.texts[index]
        if let due = text.due {
            let request = ScheduleSend(ScheduleRequest(draft: text.draft, due: due))
            ask(request, as: .schedule(index)) { senders, result in
                switch result {
                case .success(let id): senders.scheduled(index, id)
                case .failure(let refusal): senders.refused(index, refusal)
                }
            }
        } else {
            ask(Send(text.draft), as: .send(index)) { senders, result in
                switch result {
                case .success(let send): senders.accepted(index, send)
                case .failure(let refusal): senders.refused(index, refusal)
                }
            }
        }
    }

    func cancelOne() {
        guard machine.hub != nil, workload.texts.count > workload.firstText else { return }
        let span = UInt64(min(workload.texts.count - workload.firstText, 40))
        let index = workload.texts.count - 1 - Int(world.below(span))
        guard let schedule = workload.texts[index].schedule else { return }
        ask(CancelSchedule(schedule), as: .cancel(index)) { $0.cancelled(index, $1) }
    }

    // MARK: Answers

    func accepted(_ index: Int, _ send: AcceptedSend) {
        let (id, sequence) = (send.id, send.sequence)
        guard let found = ledger.index(of: id), !ledger.records[found].isLost else {
            if index >= workload.firstText {
                world.violate("text \(index) is accepted and not durable")
            }
            return
        }
        if ledger.records[found].text != index || ledger.records[found].sequence != sequence {
            world.violate("text \(index) is accepted as \(sequence), which is another one")
        }
        if workload.texts[index].isUnfit { world.violate("text \(index) is none, and accepted") }
        if let before = workload.texts[index].accepted, before != id, index >= workload.firstText {
            world.violate("text \(index) is accepted twice, under two ids")
        }
        workload.texts[index].accepted = id
    }

    func refused(_ index: Int, _ refusal: Refusal) {
        switch refusal {
        case .storeFull, .storeUnavailable, .stopping, .throttled: break
        case .storeUnanswered: workload.texts[index].mayBeThere = true
        case .invalid where workload.texts[index].isUnfit: break
        case .idempotencyConflict:
            let holder = workload.texts[index].draft.idempotency.flatMap {
                ledger.history.keyed[$0.scope]
            }
            if holder == nil || holder == index {
                world.violate("text \(index) is refused for a key that nobody else has used")
            }
        default: world.violate("text \(index) is refused: \(refusal)")
        }
    }

    private func scheduled(_ index: Int, _ id: ScheduleID) {
        if let before = workload.texts[index].schedule, before != id, index >= workload.firstText {
            world.violate("text \(index) is scheduled twice, under two ids")
        }
        workload.texts[index].schedule = id
    }

    private func cancelled(_ index: Int, _ result: Result<Void, Refusal>) {
        guard index >= workload.firstText else { return }
        let count = ledger.history.recorded[index] ?? 0
        switch result {
        case .success:
            if count > 0 { world.violate("text \(index) is cancelled and in the log") }
            workload.texts[index].isCancelled = true
        case .failure(.scheduleNotFound):
            let text = workload.texts[index]
            if count == 0, !text.isCancelled, !text.isCancelling {
                world.violate("text \(index) cannot be cancelled and is not in the log")
            }
        case .failure(.storeUnanswered): workload.texts[index].isCancelling = true
        case .failure(let refusal): refused(index, refusal)
        }
    }
}
