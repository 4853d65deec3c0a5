import HubTransport
import HubWire

extension LinkSession {
    /// Takes RESULT: confirms what it answers, or tells the app why not.
    mutating func receive(
        _ result: ResultFrame,
        ref: UInt16,
        now: TurnTime,
        actions: inout [SessionAction]
    ) throws(WireError) {
        guard let index = connection.outstanding.firstIndex(where: { $0.ref == ref }) else {
            throw WireError(.badField, about: .result)
        }
        let request = connection.outstanding.remove(at: index)
        guard result.status == 0 else {
            let answer = RequestAnswer(
                status: result.status,
                retryAfter: .milliseconds(Int(result.retryAfter)),
                detail: result.detail
            )
            refused(request, answer, now: now, actions: &actions)
            return
        }
        needsCommit = true
        switch request.kind {
        case .register(let choice), .tags(let choice):
            state.etag = result.etag
            confirm(choice)
            actions.append(.registered(choice, isUnchanged: false))
        case .unregister(let slot):
            removed(slot, etag: result.etag, actions: &actions)
        case .receipts(let taken):
            state.forget(taken)
        }
    }

    /// A request was refused: repeat it where that helps, tell the app otherwise.
    mutating func refused(
        _ request: OutstandingRequest,
        _ answer: RequestAnswer,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        let number = ErrorNumber(rawValue: answer.status)
        let isTemporary = number == .rateLimited || answer.status >> 8 == 0x05
        if isTemporary {
            let pause = max(answer.retryAfter, .seconds(1)) + random.duration(upTo: .seconds(1))
            // The longest pause that was asked for counts.
            connection.retryDeadline = max(
                connection.retryDeadline ?? now.instant,
                now.instant + pause
            )
        }
        switch request.kind {
        case .register(let choice):
            report(.register, choice.slot, answer, &actions)
        case .tags(let choice):
            if number == .etagMismatch || number == .notFound {
                // The hub's slot is not what the patch was meant for: say all of it.
                sendUnconfirmed(now: now, actions: &actions)
            } else {
                report(.tags, choice.slot, answer, &actions)
            }
        case .unregister(let slot):
            if number == .notFound {
                needsCommit = true
                removed(slot, etag: state.etag, actions: &actions)
            } else {
                report(.unregister, slot, answer, &actions)
            }
        case .receipts(let refused):
            if !isTemporary {
                // Refused for what they say: they would be refused again.
                needsCommit = true
                state.forget(refused)
            }
            report(.receipts, UInt16.max, answer, &actions)
        }
    }

    /// The hub has a choice; what it was asked about the slot since may change that again.
    private mutating func confirm(_ choice: RegistrationChoice) {
        guard lastAsked(about: choice.slot) == nil else { return }
        for index in state.choices.indices where state.choices[index].choice == choice {
            state.choices[index].isConfirmed = true
        }
    }

    private mutating func removed(
        _ slot: UInt16,
        etag: UInt64,
        actions: inout [SessionAction]
    ) {
        state.etag = etag
        if lastAsked(about: slot) == nil { state.removals.removeAll { $0 == slot } }
        actions.append(.unregistered(slot: slot))
    }

    private func report(
        _ request: RequestRefusal.Request,
        _ slot: UInt16,
        _ answer: RequestAnswer,
        _ actions: inout [SessionAction]
    ) {
        actions.append(.requestRefused(RequestRefusal(request, slot, answer)))
    }
}

extension RequestRefusal {
    /// The refusal that an answer is.
    fileprivate init(_ request: Request, _ slot: UInt16, _ answer: RequestAnswer) {
        self.init(request: request, slot: slot, status: answer.status, detail: answer.detail)
    }
}
