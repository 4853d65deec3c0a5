import HubClient
import HubDirectory
import HubModel
import HubTags
import HubTemplates
import HubVocabulary

// Sends, schedules, their repeats, and what was answered.
extension Simulation {
    static let platforms: [Platform] = [.apple, .gcm, .fcmV1]

    /// A new notification; its number.
    func draw(_ due: Timestamp?) -> Int {
        let number = workload.texts.count
        let isTemplate = below(10) < 3
        let platform = Self.platforms[Int(below(20) < 14 ? 0 : 1 + below(2))]
        var body = Array(
            (isTemplate ? "{\"text\":\"\(number)\"}" : "{\"aps\":{\"alert\":\"\(number)\"}}").utf8
        )
        if !isTemplate, oneIn(12) {
            // So large that a window or a socket fills.
            let filling = [UInt8](repeating: UInt8(ascii: "x"), count: Int(500 + below(3_500)))
            let head = Array("{\"aps\":{\"alert\":\"\(number)\"},\"x\":\"".utf8)
            body = head + filling + Array("\"}".utf8)
        }
        var draft = NotificationDraft(
            format: isTemplate ? .template : .native(platform),
            target: target(isTemplate: isTemplate, platform),
            body: body,
            timeToLive: timeToLive(),
            priority: [.low, .normal, .normal, .high][Int(below(4))]
        )
        // Each of these bodies is a bag.
        if isTemplate { draft.properties = try? PropertyBag(json: body.span) }
        if plan.collapses, oneIn(3) { draft.collapseKey = [UInt8(ascii: "k") + UInt8(below(2))] }
        if oneIn(2) {
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
        let kind = below(20)
        if kind < 4 { return .broadcast }
        if kind < 6, !isTemplate {
            let known = devices.compactMap { $0.stored.state.identity?.handleText }
            let named = known.filter { _ in oneIn(2) }.map { Array($0.uppercased().utf8) }
            if !named.isEmpty { return .handles(named) }
        }
        var formula = Formula.draw(&random)
        if oneIn(10) {
            let id = Workload.installations[Int(below(UInt64(Workload.installations.count)))]
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
        switch below(10) {
        case 0: .transient
        case 1: .seconds(UInt32(1 + below(20)))
        case 2: .seconds(UInt32(60 + below(600)))
        case 3: .seconds(UInt32(1_000 + below(6_000)))
        default: .seconds(UInt32(50_000 + below(500_000)))
        }
    }

    // MARK: Requests

    func sendSome() {
        guard let hub else { return }
        if plan.sendsMany, oneIn(3) { return sendMany() }
        for _ in 0..<(oneIn(4) ? 1 + below(5) : 1) { submitText(draw(nil), hub) }
    }

    func scheduleOne() {
        guard let hub else { return }
        submitText(draw(Timestamp(milliseconds: now.time.milliseconds + below(25_000))), hub)
    }

    /// Repeats a request whose sender gave it a key.
    func repeatOne() {
        guard let hub, workload.texts.count > workload.firstText else { return }
        let span = UInt64(min(workload.texts.count - workload.firstText, 24))
        let index = workload.texts.count - 1 - Int(below(span))
        let text = workload.texts[index]
        guard text.draft.idempotency != nil, !text.isCancelled, !text.isCancelling, !text.isUnfit
        else { return }
        workload.noteElsewhere(index)
        submitText(index, hub)
    }

    /// Sends another notification with a key that was used: it is refused, unless the first one never
    /// became durable.
    func repeatWithOther() {
        guard let hub, workload.texts.count > workload.firstText else { return }
        let span = UInt64(min(workload.texts.count - workload.firstText, 24))
        let index = workload.texts.count - 1 - Int(below(span))
        let text = workload.texts[index]
        guard let key = text.draft.idempotency, text.due == nil, !text.isUnfit else { return }
        workload.noteElsewhere(index)
        let other = draw(nil)
        workload.texts[other].draft.idempotency = IdempotencyKey(
            scope: key.scope,
            fingerprint: KeyHash(of: workload.texts[other].draft.body)
        )
        workload.texts[other].hasOthersKey = true
        submitText(other, hub)
    }

    private func submitText(_ index: Int, _ hub: SimulatedHub) {
        let text = workload.texts[index]
        if let due = text.due {
            let request = ScheduleSend(ScheduleRequest(draft: text.draft, due: due))
            ask(request, as: .schedule(index)) { simulation, result in
                switch result {
                case .success(let id): simulation.scheduled(index, id)
                case .failure(let refusal): simulation.refused(index, refusal)
                }
            }
        } else {
            ask(Send(text.draft), as: .send(index)) { simulation, result in
                switch result {
                case .success(let send): simulation.accepted(index, send)
                case .failure(let refusal): simulation.refused(index, refusal)
                }
            }
        }
    }

    func cancelOne() {
        guard hub != nil, workload.texts.count > workload.firstText else { return }
        let span = UInt64(min(workload.texts.count - workload.firstText, 40))
        let index = workload.texts.count - 1 - Int(below(span))
        guard let schedule = workload.texts[index].schedule else { return }
        ask(CancelSchedule(schedule), as: .cancel(index)) { $0.cancelled(index, $1) }
    }

    // MARK: Answers

    func accepted(_ index: Int, _ send: AcceptedSend) {
        let (id, sequence) = (send.id, send.sequence)
        guard let found = ledger.index(of: id), !ledger.records[found].isLost else {
            if index >= workload.firstText { violate("text \(index) is accepted and not durable") }
            return
        }
        if ledger.records[found].text != index || ledger.records[found].sequence != sequence {
            violate("text \(index) is accepted as \(sequence), which is another one")
        }
        if workload.texts[index].isUnfit { violate("text \(index) is none, and accepted") }
        if let before = workload.texts[index].accepted, before != id, index >= workload.firstText {
            violate("text \(index) is accepted twice, under two ids")
        }
        workload.texts[index].accepted = id
    }

    func refused(_ index: Int, _ refusal: Refusal) {
        switch refusal {
        case .storeFull, .storeUnavailable, .stopping, .throttled: break
        case .invalid where workload.texts[index].isUnfit: break
        case .idempotencyConflict:
            let holder = workload.texts[index].draft.idempotency.flatMap {
                ledger.history.keyed[$0.scope]
            }
            if holder == nil || holder == index {
                violate("text \(index) is refused for a key that nobody else has used")
            }
        default: violate("text \(index) is refused: \(refusal)")
        }
    }

    private func scheduled(_ index: Int, _ id: ScheduleID) {
        if let before = workload.texts[index].schedule, before != id, index >= workload.firstText {
            violate("text \(index) is scheduled twice, under two ids")
        }
        workload.texts[index].schedule = id
    }

    private func cancelled(_ index: Int, _ result: Result<Void, Refusal>) {
        guard index >= workload.firstText else { return }
        let count = ledger.history.recorded[index] ?? 0
        switch result {
        case .success:
            if count > 0 { violate("text \(index) is cancelled and in the log") }
            workload.texts[index].isCancelled = true
        case .failure(.scheduleNotFound):
            let text = workload.texts[index]
            if count == 0, !text.isCancelled, !text.isCancelling {
                violate("text \(index) cannot be cancelled and is not in the log")
            }
        case .failure(let refusal): refused(index, refusal)
        }
    }
}
