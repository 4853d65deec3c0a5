package import HubTransport
public import HubWire

/// An answer to a request, from RESULT or from ERROR.
struct RequestAnswer {
    var status: UInt16
    var retryAfter: Duration
    var detail: String
}

/// Why the app's wish was not even written down.
public enum ChoiceError: Error, Equatable, Sendable {
    /// A device has slots 0 to 15.
    case slotOutOfRange(UInt16)
    /// The frame cannot be made; the number says what is wrong.
    case notEncodable(ErrorNumber)
    /// There is no registration in the slot whose tags could change.
    case nothingInSlot(UInt16)
}

extension LinkSession {
    /// Registers a slot: remembers the wish, and tells the hub now or at the next connection.
    ///
    /// A wish that the hub has confirmed already costs no byte.
    /// - Throws: `ChoiceError` when the hub's decoder would refuse the frame.
    package mutating func register(
        _ choice: RegistrationChoice,
        now: TurnTime,
        actions: inout [SessionAction]
    ) throws(ChoiceError) {
        try check(choice)
        if state.choices.contains(SlotChoice(choice: choice, isConfirmed: true)),
            !state.removals.contains(choice.slot)
        {
            // Before WELCOME nobody knows whether the hub still has it; it is told then.
            if phase == .ready { actions.append(.registered(choice, isUnchanged: true)) }
            return
        }
        write(choice)
        send(choice, now: now)
        finishInput(now: now, actions: &actions)
    }

    /// Adds and removes tags of a slot, with a patch where the hub has the slot already.
    ///
    /// - Throws: `.nothingInSlot`, `.notEncodable`.
    package mutating func patchTags(
        slot: UInt16,
        add: [String],
        remove: [String],
        now: TurnTime,
        actions: inout [SessionAction]
    ) throws(ChoiceError) {
        guard let index = state.choices.firstIndex(where: { $0.choice.slot == slot }) else {
            throw .nothingInSlot(slot)
        }
        let before = state.choices[index]
        var choice = before.choice
        choice.tags.removeAll { remove.contains($0) }
        for tag in add where !choice.tags.contains(tag) { choice.tags.append(tag) }
        try check(choice)
        guard choice != before.choice else {
            try register(choice, now: now, actions: &actions)
            return
        }
        write(choice)
        if before.isConfirmed {
            let patch = TagsMessage(
                slot: slot,
                add: add.map { Array($0.utf8) },
                remove: remove.map { Array($0.utf8) }
            )
            try send(patch, of: choice)
        } else {
            send(choice, now: now)
        }
        finishInput(now: now, actions: &actions)
    }

    /// Gives up a slot, now or at the next connection.
    ///
    /// - Throws: `.slotOutOfRange`; the slots above are the hub's to give and to take.
    package mutating func unregister(
        slot: UInt16,
        now: TurnTime,
        actions: inout [SessionAction]
    ) throws(ChoiceError) {
        guard slot <= WireLimits.slotMax else { throw .slotOutOfRange(slot) }
        state.choices.removeAll { $0.choice.slot == slot }
        if !state.removals.contains(slot) { state.removals.append(slot) }
        needsCommit = true
        sendRemoval(slot)
        finishInput(now: now, actions: &actions)
    }

    /// Queues a receipt; what the user does in the foreground goes out at once.
    package mutating func report(
        _ event: ReceiptEvent,
        of id: ID16,
        slot: UInt16,
        action: UInt8 = 0,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        state.queue(
            Receipt(
                notification: id,
                event: event.rawValue,
                action: action,
                slot: slot,
                time: now.wallMilliseconds
            )
        )
        needsCommit = true
        finishInput(now: now, actions: &actions)
    }

    /// After WELCOME: everything when the hub's state is not ours, otherwise what is unconfirmed.
    mutating func sendRegistrations(
        hubETag: UInt64,
        now: TurnTime,
        actions: inout [SessionAction]
    ) {
        let isKnown = state.etag != 0 && hubETag == state.etag
        for index in state.choices.indices
        where !isKnown || state.choices[index].choice.lifetimeSeconds > 0 {
            state.choices[index].isConfirmed = false
        }
        sendUnconfirmed(now: now, actions: &actions)
        sendRemovals()
        for known in state.choices where known.isConfirmed {
            actions.append(.registered(known.choice, isUnchanged: true))
        }
    }

    /// Sends every choice that the hub has not confirmed and is not being asked for.
    mutating func sendUnconfirmed(now: TurnTime, actions: inout [SessionAction]) {
        for wanted in state.choices where !wanted.isConfirmed {
            let asked = lastAsked(about: wanted.choice.slot)
            let isAsked = asked == .register(wanted.choice) || asked == .tags(wanted.choice)
            if !isAsked { send(wanted.choice, now: now) }
        }
    }

    /// Registers slots with a lifetime again, before it is over. [T-4]
    mutating func renewIfDue(now: TurnTime, actions: inout [SessionAction]) {
        guard let due = connection.renewalDeadline, now.instant >= due else { return }
        connection.renewalDeadline = nil
        for index in state.choices.indices where state.choices[index].choice.lifetimeSeconds > 0 {
            state.choices[index].isConfirmed = false
            needsCommit = true
        }
        sendUnconfirmed(now: now, actions: &actions)
    }

    /// Sends every removal that the hub is not being asked for.
    mutating func sendRemovals() {
        for slot in state.removals where lastAsked(about: slot) != .unregister(slot: slot) {
            sendRemoval(slot)
        }
    }

    /// What the hub was asked last about a slot and has not answered: what it will have at the end.
    func lastAsked(about slot: UInt16) -> OutstandingRequest.Kind? {
        connection.outstanding.last { $0.slot == slot }?.kind
    }

    /// Sends the oldest receipts when the hub takes receipts and none are on the way.
    mutating func sendReceipts(now: TurnTime) {
        let count = min(state.receipts.count, connection.receiptsPerFrame)
        guard phase == .ready, !needsCommit, !awaitsReceipts, count > 0,
            connection.retryDeadline == nil,
            receiptsDue.map({ now.instant >= $0 }) ?? true,
            connection.capabilities.contains(.receipts), let ref = nextRef()
        else { return }
        let oldest = Array(state.receipts.prefix(count))
        ReceiptsMessage(oldest).encode(into: &output, ref: ref)
        connection.outstanding.append(OutstandingRequest(ref: ref, kind: .receipts(oldest)))
        connection.receiptsSent = now.instant
        connection.lastSent = now.instant
    }

    /// When receipts that wait may be sent, within the rate of [S-6]; nil at any time.
    var receiptsDue: MonotonicTime? {
        guard let sent = connection.receiptsSent, !state.receipts.isEmpty,
            !awaitsReceipts, connection.retryDeadline == nil
        else { return nil }
        let isFull = state.receipts.count >= connection.receiptsPerFrame
        return sent + (isFull ? .milliseconds(100) : .seconds(1))
    }

    private var awaitsReceipts: Bool {
        connection.outstanding.contains { if case .receipts = $0.kind { true } else { false } }
    }

    private func check(_ choice: RegistrationChoice) throws(ChoiceError) {
        guard choice.slot <= WireLimits.slotMax else { throw .slotOutOfRange(choice.slot) }
        var scratch: [UInt8] = []
        do throws(WireError) {
            try choice.message.encode(into: &scratch, ref: 1)
        } catch {
            throw .notEncodable(error.number)
        }
    }

    private mutating func write(_ choice: RegistrationChoice) {
        state.choices.removeAll { $0.choice.slot == choice.slot }
        state.choices.append(SlotChoice(choice: choice, isConfirmed: false))
        state.choices.sort { $0.choice.slot < $1.choice.slot }
        state.removals.removeAll { $0 == choice.slot }
        needsCommit = true
    }

    private mutating func send(_ choice: RegistrationChoice, now: TurnTime) {
        guard phase == .ready, connection.departure == nil, let ref = nextRef() else { return }
        do throws(WireError) {
            try choice.message.encode(into: &output, ref: ref)
        } catch {
            // `register` has tried it and refused what does not encode; a stored choice was one.
            preconditionFailure("a checked registration is not encodable: \(error)")
        }
        if let renewal = choice.renewal(from: now.instant) {
            connection.renewalDeadline = min(connection.renewalDeadline ?? renewal, renewal)
        }
        connection.outstanding.append(OutstandingRequest(ref: ref, kind: .register(choice)))
    }

    private mutating func send(
        _ patch: TagsMessage,
        of choice: RegistrationChoice
    ) throws(ChoiceError) {
        guard phase == .ready, connection.departure == nil, let ref = nextRef() else { return }
        do throws(WireError) {
            try patch.encode(into: &output, ref: ref)
        } catch {
            throw .notEncodable(error.number)
        }
        connection.outstanding.append(OutstandingRequest(ref: ref, kind: .tags(choice)))
    }

    private mutating func sendRemoval(_ slot: UInt16) {
        guard phase == .ready, connection.departure == nil, let ref = nextRef() else { return }
        UnregisterFrame(slot: slot, ref: ref).encode(into: &output)
        connection.outstanding.append(
            OutstandingRequest(ref: ref, kind: .unregister(slot: slot))
        )
    }

    /// A request id that is not in use; nil when as many requests as may be are unanswered.
    private mutating func nextRef() -> UInt16? {
        guard connection.outstanding.count < WireLimits.outstandingRequestsMax else { return nil }
        repeat {
            connection.lastRef = connection.lastRef == .max ? 1 : connection.lastRef + 1
        } while connection.outstanding.contains { $0.ref == connection.lastRef }
        return connection.lastRef
    }
}
