import HubVocabulary

/// The connections of a shard by slot: their states, their deadlines, and what waits to be written.
struct ShardConnections {
    private var states: [ConnectionState?] = []
    private var hot: [HotConnection] = []
    /// Those to flush at the end of the turn.
    private var dirty: [ConnectionSlot] = []
    private var wheel: TimerWheel

    /// No connection.
    init(now: Instant) { wheel = TimerWheel(now: now) }

    /// The slots that have a connection, ascending.
    var slots: [ConnectionSlot] {
        states.indices.filter { states[$0] != nil }.map { ConnectionSlot(row: $0) }
    }

    /// The state of a connection; nil when the slot has none.
    subscript(slot: ConnectionSlot) -> ConnectionState? {
        _read { yield states[slot.row] }
        _modify { yield &states[slot.row] }
    }

    /// The facts that a turn needs of a connection.
    subscript(hot slot: ConnectionSlot) -> HotConnection {
        _read { yield hot[slot.row] }
        _modify { yield &hot[slot.row] }
    }

    /// The slot of a connection that still is the one named.
    func slot(of id: ConnectionID) -> ConnectionSlot? {
        let slot = ConnectionSlot(id)
        guard slot.row < hot.count, hot[slot.row].id == id, hot[slot.row].kind != .vacant else {
            return nil
        }
        return slot
    }

    // MARK: Phases

    /// Takes a connection, whose slot is free.
    mutating func insert(_ id: ConnectionID, _ state: ConnectionState) -> ConnectionSlot {
        let slot = ConnectionSlot(id)
        while states.count <= slot.row {
            states.appendSparingly(nil)
            hot.appendSparingly(HotConnection(id: id))
        }
        states[slot.row] = state
        hot[slot.row] = HotConnection(id: id)
        hot[slot.row].follow(state.phase)
        arm(slot, state.deadline)
        return slot
    }

    /// The next phase of a connection.
    mutating func enter(_ phase: ConnectionPhase, _ slot: ConnectionSlot) {
        states[slot.row]?.phase = phase
        hot[slot.row].follow(phase)
    }

    /// Frees a slot.
    mutating func remove(_ slot: ConnectionSlot) {
        states[slot.row] = nil
        hot[slot.row].follow(nil)
    }

    // MARK: Input

    /// Takes the bytes of a frame that was not complete; empty when there are none.
    mutating func takePartial(_ slot: ConnectionSlot) -> [UInt8] {
        guard let partial = states[slot.row]?.partial, !partial.isEmpty else { return [] }
        states[slot.row]?.partial = []
        return partial
    }

    // MARK: Output

    /// Puts a connection on the list of those to flush at the end of the turn.
    mutating func markDirty(_ slot: ConnectionSlot) {
        guard !hot[slot.row].isDirty else { return }
        hot[slot.row].isDirty = true
        dirty.append(slot)
    }

    /// Takes the list of those to flush.
    mutating func takeDirty() -> [ConnectionSlot] {
        let taken = dirty
        dirty.removeAll(keepingCapacity: true)
        return taken
    }

    /// Appends control frames to a connection's output of this turn; nothing once it is closing,
    /// because a fatal ERROR is the last word.
    mutating func control(_ slot: ConnectionSlot, _ encode: (inout [UInt8]) -> Void) {
        guard hot[slot.row].kind != .closing, var control = states[slot.row]?.control else {
            return
        }
        // Moved out and back, so that it is not copied.
        states[slot.row]?.control = []
        encode(&control)
        states[slot.row]?.control = control
        hot[slot.row].hasControl = true
        markDirty(slot)
    }

    /// Moves the waiting control frames to the output; false when there is not room for them.
    mutating func takeControl(_ slot: ConnectionSlot, room: Int, into bytes: inout [UInt8]) -> Bool
    {
        guard let control = states[slot.row]?.control, control.count <= room else { return false }
        bytes.append(contentsOf: control)
        states[slot.row]?.control = []
        hot[slot.row].hasControl = false
        return true
    }

    // MARK: Deadlines

    /// Makes sure that a slot is looked at when this deadline comes, or before.
    mutating func arm(_ slot: ConnectionSlot, _ deadline: Instant) {
        guard let state = states[slot.row] else { return }
        if let next = state.nextCheck, next <= deadline { return }
        states[slot.row]?.nextCheck = wheel.arm(slot, at: deadline)
    }

    /// Sets when the next step of a connection is due.
    mutating func setDeadline(_ slot: ConnectionSlot, _ deadline: Instant) {
        states[slot.row]?.deadline = deadline
        arm(slot, deadline)
    }

    /// The device will speak again within a time.
    mutating func promise(_ slot: ConnectionSlot, milliseconds: UInt64, now: Instant) {
        states[slot.row]?.promiseMilliseconds = UInt32(clamping: milliseconds)
        extendPromise(slot, now: now)
        if let deadline = states[slot.row]?.deadline { arm(slot, deadline) }
    }

    /// Any frame of the device restarts the idle timer.
    mutating func extendPromise(_ slot: ConnectionSlot, now: Instant) {
        guard let milliseconds = states[slot.row]?.promiseMilliseconds, milliseconds > 0 else {
            return
        }
        states[slot.row]?.deadline = now.adding(milliseconds: UInt64(milliseconds))
    }

    /// Takes the slots that are to be looked at now.
    mutating func takeDue(now: Instant) -> [ConnectionSlot] { wheel.due(now: now) }

    /// Takes a slot's turn to be looked at.
    ///
    /// False for an entry of an earlier owner, or one that an earlier deadline has replaced.
    mutating func takeCheck(_ slot: ConnectionSlot, now: Instant) -> Bool {
        guard let check = states[slot.row]?.nextCheck, check <= now else { return false }
        states[slot.row]?.nextCheck = nil
        return true
    }
}
