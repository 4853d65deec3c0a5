import HubVocabulary
import HubWire

extension ReadyLink {
    /// Takes RESULT: confirms what it answers, or tells the app why not.
    mutating func receive(
        _ result: ResultFrame,
        ref: UInt16,
        _ core: inout SessionCore
    ) throws(WireError) {
        guard let request = requests.take(ref) else {
            throw WireError(.badField, about: .result)
        }
        guard result.status == 0 else {
            let answer = RequestAnswer(
                status: result.status,
                retryAfter: .milliseconds(Int(result.retryAfter)),
                detail: result.detail
            )
            refused(request, answer, &core)
            return
        }
        core.needsCommit = true
        switch request.kind {
        case .register(let choice), .tags(let choice):
            core.state.etag = result.etag
            confirm(choice, &core)
            core.actions.append(.registered(choice, isUnchanged: false))
        case .unregister(let slot):
            core.state.etag = result.etag
            removed(slot, &core)
            core.actions.append(.unregistered(slot: slot))
        case .receipts(let taken):
            core.state.forget(taken)
        }
    }

    /// A request was refused: repeat it where that helps, tell the app otherwise.
    mutating func refused(
        _ request: OutstandingRequest,
        _ answer: RequestAnswer,
        _ core: inout SessionCore
    ) {
        let number = ErrorNumber(rawValue: answer.status)
        let isTemporary = number == .rateLimited || answer.status >> 8 == 0x05
        if isTemporary {
            let pause =
                max(answer.retryAfter, .seconds(1)) + core.random.duration(upTo: .seconds(1))
            requests.pause(until: core.now.instant + pause)
        }
        switch request.kind {
        case .register(let choice):
            if !isTemporary { requests.refuse(choice.slot) }
            report(.register, choice.slot, answer, &core)
        case .tags(let choice):
            if number == .etagMismatch || number == .notFound {
                // The hub's slot is not what the patch was meant for: say all of it.
                sendUnconfirmed(&core)
            } else {
                if !isTemporary { requests.refuse(choice.slot) }
                report(.tags, choice.slot, answer, &core)
            }
        case .unregister(let slot):
            if number == .notFound {
                core.needsCommit = true
                removed(slot, &core)
                if !requests.expectsNothing(in: slot) {
                    core.actions.append(.unregistered(slot: slot))
                }
            } else {
                if !isTemporary { requests.refuse(slot) }
                if !requests.expectsNothing(in: slot) {
                    report(.unregister, slot, answer, &core)
                }
            }
        case .receipts(let refused):
            if !isTemporary {
                // Refused for what they say: they would be refused again.
                core.needsCommit = true
                core.state.forget(refused)
            }
            report(.receipts, UInt16.max, answer, &core)
        }
    }

    /// The hub has a choice; what it was asked about the slot since may change that again.
    private func confirm(_ choice: RegistrationChoice, _ core: inout SessionCore) {
        guard requests.lastAsked(about: choice.slot) == nil else { return }
        for index in core.state.choices.indices where core.state.choices[index].choice == choice {
            core.state.choices[index].isConfirmed = true
        }
    }

    private func removed(_ slot: UInt16, _ core: inout SessionCore) {
        if requests.lastAsked(about: slot) == nil { core.state.removals.removeAll { $0 == slot } }
    }

    private func report(
        _ request: RequestRefusal.Request,
        _ slot: UInt16,
        _ answer: RequestAnswer,
        _ core: inout SessionCore
    ) {
        core.actions.append(
            .requestRefused(
                RequestRefusal(
                    request: request,
                    slot: slot,
                    status: answer.status,
                    detail: answer.detail
                )
            )
        )
    }
}
