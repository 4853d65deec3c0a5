package import HubVocabulary
package import HubWire

extension LinkSession {
    /// Registers a slot: remembers the wish, and tells the hub now or at the next connection.
    ///
    /// A wish that the hub has confirmed already costs no byte.
    /// - Throws: `ChoiceError` when the hub's decoder would refuse the frame.
    package mutating func register(
        _ choice: RegistrationChoice,
        now: Now,
        actions: inout [SessionAction]
    ) throws(ChoiceError) {
        try choice.check()
        try input(now, &actions) { phase, core throws(ChoiceError) in
            if core.has(choice) {
                // Before WELCOME no device knows whether the hub still has it; it is told then.
                phase.whenReady { _ in
                    core.actions.append(.registered(choice, isUnchanged: true))
                }
                return
            }
            core.write(choice)
            phase.whenReady { $0.send(choice, &core) }
        }
    }

    /// Adds and removes tags of a slot, with a patch where the hub has the slot already.
    ///
    /// - Throws: `.nothingInSlot`, `.notEncodable`.
    package mutating func patchTags(
        slot: UInt16,
        add: [String],
        remove: [String],
        now: Now,
        actions: inout [SessionAction]
    ) throws(ChoiceError) {
        guard let before = state.choices.first(where: { $0.choice.slot == slot }) else {
            throw .nothingInSlot(slot)
        }
        var choice = before.choice
        choice.tags.removeAll { tag in remove.contains { isSameTag($0, tag) } }
        for tag in add where !choice.tags.contains(where: { isSameTag($0, tag) }) {
            choice.tags.append(tag)
        }
        guard choice != before.choice, before.isConfirmed else {
            try register(choice, now: now, actions: &actions)
            return
        }
        try choice.check()
        let patch = TagsMessage(
            slot: slot,
            add: add.map { Array($0.utf8) },
            remove: remove.map { Array($0.utf8) }
        )
        try input(now, &actions) { phase, core throws(ChoiceError) in
            core.write(choice)
            try phase.whenReady { link throws(ChoiceError) in
                try link.send(patch, of: choice, &core)
            }
        }
    }

    /// Gives up a slot, now or at the next connection.
    ///
    /// - Throws: `.slotOutOfRange`; the slots above are the hub's to give and to take.
    package mutating func unregister(
        slot: UInt16,
        now: Now,
        actions: inout [SessionAction]
    ) throws(ChoiceError) {
        guard slot <= WireLimits.slotMax else { throw .slotOutOfRange(slot) }
        input(now, &actions) { phase, core in
            core.remove(slot: slot)
            phase.whenReady { $0.sendRemoval(slot, &core) }
        }
    }

    /// Queues a receipt; what the user does in the foreground goes out at once.
    package mutating func report(
        _ event: ReceiptEvent,
        of id: ID16,
        slot: UInt16,
        action: UInt8 = 0,
        now: Now,
        actions: inout [SessionAction]
    ) {
        input(now, &actions) { _, core in
            core.queue(event, of: id, slot: slot, action: action)
        }
    }
}

/// Whether a hub takes two tags for the same. [T-2]
private func isSameTag(_ one: String, _ other: String) -> Bool { ASCII.equal(one.utf8, other.utf8) }

extension RegistrationChoice {
    /// Whether it can be said to a hub.
    fileprivate func check() throws(ChoiceError) {
        guard slot <= WireLimits.slotMax else { throw .slotOutOfRange(slot) }
        var scratch: [UInt8] = []
        do throws(WireError) {
            try message.encode(into: &scratch, ref: 1)
        } catch {
            throw .notEncodable(error.number)
        }
    }
}

extension SessionCore {
    /// Whether the hub has confirmed exactly this, and nothing else is wanted of the slot.
    fileprivate func has(_ choice: RegistrationChoice) -> Bool {
        state.choices.contains(SlotChoice(choice: choice, isConfirmed: true))
            && !state.removals.contains(choice.slot)
    }

    /// Remembers a wish that the hub has not confirmed.
    fileprivate mutating func write(_ choice: RegistrationChoice) {
        state.choices.removeAll { $0.choice.slot == choice.slot }
        state.choices.append(SlotChoice(choice: choice, isConfirmed: false))
        state.choices.sort { $0.choice.slot < $1.choice.slot }
        state.removals.removeAll { $0 == choice.slot }
        needsCommit = true
    }

    /// Remembers that a slot is given up.
    fileprivate mutating func remove(slot: UInt16) {
        state.choices.removeAll { $0.choice.slot == slot }
        if !state.removals.contains(slot) { state.removals.append(slot) }
        needsCommit = true
    }
}
