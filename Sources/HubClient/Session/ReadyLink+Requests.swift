import HubVocabulary
import HubWire

extension ReadyLink {
    /// After WELCOME: everything when the hub's state is not ours, otherwise what is unconfirmed.
    mutating func sendRegistrations(of welcome: WelcomeFrame, _ core: inout SessionCore) {
        let isKnown = core.state.etag != 0 && welcome.etag == core.state.etag
        for index in core.state.choices.indices
        where !isKnown || core.state.choices[index].choice.lifetimeSeconds > 0 {
            core.state.choices[index].isConfirmed = false
        }
        sendUnconfirmed(&core)
        sendRemovals(&core)
        if !isKnown && welcome.etag != 0 {
            removeUnknown(
                below: min(welcome.limits.registrations, UInt16(WireLimits.slotMax + 1)),
                &core
            )
        }
        for known in core.state.choices where known.isConfirmed {
            core.actions.append(.registered(known.choice, isUnchanged: true))
        }
    }

    /// Removes slots that a device whose store was set back cannot know. [T-7]
    private mutating func removeUnknown(below end: UInt16, _ core: inout SessionCore) {
        for slot in 0..<end
        where core.state.choice(slot: slot) == nil && !core.state.removals.contains(slot) {
            core.state.removals.append(slot)
            sendRemoval(slot, &core)
            requests.expectNothing(in: slot)
        }
    }

    /// Sends every choice that the hub has not confirmed, not refused, and is not being asked for.
    mutating func sendUnconfirmed(_ core: inout SessionCore) {
        for wanted in core.state.choices
        where !wanted.isConfirmed && !requests.isRefused(wanted.choice.slot) {
            let asked = requests.lastAsked(about: wanted.choice.slot)
            let isAsked = asked == .register(wanted.choice) || asked == .tags(wanted.choice)
            if !isAsked { send(wanted.choice, &core) }
        }
    }

    /// Registers slots with a lifetime again, before it is over. [T-4]
    mutating func renew(_ core: inout SessionCore) {
        for index in core.state.choices.indices
        where core.state.choices[index].choice.lifetimeSeconds > 0 {
            core.state.choices[index].isConfirmed = false
            core.needsCommit = true
        }
        sendUnconfirmed(&core)
    }

    /// Sends every removal that the hub has not refused and is not being asked for.
    mutating func sendRemovals(_ core: inout SessionCore) {
        for slot in core.state.removals
        where !requests.isRefused(slot)
            && requests.lastAsked(about: slot) != .unregister(slot: slot)
        {
            let isUnknown = requests.expectsNothing(in: slot)
            sendRemoval(slot, &core)
            if isUnknown { requests.expectNothing(in: slot) }
        }
    }

    /// Sends the oldest receipts when the hub takes receipts and none are on the way.
    mutating func sendReceipts(_ core: inout SessionCore) {
        let count = min(core.state.receipts.count, requests.receiptsPerFrame)
        let due = requests.reportDue(waiting: core.state.receipts.count) ?? core.now.instant
        guard !core.needsCommit, count > 0, requests.mayReport, core.now.instant >= due,
            let ref = requests.nextRef()
        else { return }
        let oldest = Array(core.state.receipts.prefix(count))
        ReceiptsMessage(oldest).encode(into: &core.output, ref: ref)
        requests.add(.receipts(oldest), ref: ref)
        requests.report(at: core.now.instant)
    }

    /// Sends a whole registration.
    mutating func send(_ choice: RegistrationChoice, _ core: inout SessionCore) {
        guard let ref = requests.nextRef() else { return }
        do throws(WireError) {
            try choice.message.encode(into: &core.output, ref: ref)
        } catch {
            // `register` has tried it and refused what does not encode; a stored choice was one.
            preconditionFailure("a checked registration is not encodable: \(error)")
        }
        if let due = choice.renewal(from: core.now.instant) { requests.renew(at: due) }
        requests.add(.register(choice), ref: ref)
    }

    /// Sends a change of tags that makes a registration what it should be.
    mutating func send(
        _ patch: TagsMessage,
        of choice: RegistrationChoice,
        _ core: inout SessionCore
    ) throws(ChoiceError) {
        guard let ref = requests.nextRef() else { return }
        do throws(WireError) {
            try patch.encode(into: &core.output, ref: ref)
        } catch {
            throw .notEncodable(error.number)
        }
        requests.add(.tags(choice), ref: ref)
    }

    /// Asks the hub to remove a slot.
    mutating func sendRemoval(_ slot: UInt16, _ core: inout SessionCore) {
        guard let ref = requests.nextRef() else { return }
        UnregisterFrame(slot: slot, ref: ref).encode(into: &core.output)
        requests.add(.unregister(slot: slot), ref: ref)
    }
}
