import HubModel
import HubVocabulary
import HubWire

/// Writes what waits for the device of a session that reads the log.
struct HeldPass {
    let limits: SessionLimits
    let room: Int
    let now: Now
    private var framer: DeliveryFramer
    /// Entries that were written.
    private(set) var sent: [(sequence: UInt64, platform: Platform)] = []
    /// GAPs that were written.
    private(set) var losses: UInt64 = 0

    /// Goes on behind the sequence number `complete`.
    init(complete: UInt64, limits: SessionLimits, room: Int, now: Now) {
        framer = DeliveryFramer(complete: complete)
        self.limits = limits
        self.room = room
        self.now = now
    }

    /// Writes what the device may get, and takes it out of what waits.
    mutating func write(
        _ session: inout DeviceSession,
        _ state: CatchUp,
        isAtHead: Bool,
        into bytes: inout [UInt8]
    ) {
        let sendable = isAtHead ? state.held.count : knownNotLast(state.held)
        var written = 0
        let isHeldBack = session.holdsBack(state, limits)
        if !isHeldBack {
            while written < sendable {
                guard tellLoss(&session, before: state.held[written], into: &bytes) else { break }
                let taken = writeGroup(state.held, from: written, &session, into: &bytes)
                guard taken > 0 else { break }
                written += taken
            }
        }
        let waiting = state.held.count - written
        framer.finish(backlog: UInt32(waiting), into: &bytes)
        if !isHeldBack {
            // Also in front of an entry that has to wait: nothing is read until the GAP is told.
            let next = waiting > 0 ? state.held[written] : nil
            _ = tellLoss(&session, before: next, into: &bytes)
        }
        session.progress.sentThrough = framer.complete
        state.held.removeSubrange(..<written)
    }

    /// How many entries are certain not to be the last: all but those of the last sequence, so
    /// that a backlog above 0 is always true.
    private func knownNotLast(_ held: [HeldEntry]) -> Int {
        guard let last = held.last?.sequence else { return 0 }
        return held.firstIndex { $0.sequence == last } ?? 0
    }

    /// Writes the entries of one sequence as far as there is room, or none when the window is
    /// closed; the rest of a begun group is exempt from the window.
    ///
    /// Returns how many it wrote.
    ///
    /// Source: rules B.7.
    private mutating func writeGroup(
        _ held: [HeldEntry],
        from first: Int,
        _ session: inout DeviceSession,
        into bytes: inout [UInt8]
    ) -> Int {
        let sequence = held[first].sequence
        guard
            session.progress.openGroup == sequence
                || session.window.admits(bytes: held[first].bytes)
        else { return 0 }
        var end = first + 1
        while end < held.count, held[end].sequence == sequence { end += 1 }
        // 64 bytes are more than an entry's prefix, a frame's start and a GAP take.
        var fitting = first
        var filled = bytes.count
        while fitting < end, filled + held[fitting].parcel.bytes.count + 64 <= room {
            filled += held[fitting].parcel.bytes.count + 64
            fitting += 1
        }
        guard fitting > first else { return 0 }
        if !framer.reaches(sequence) {
            framer.appendGap(
                to: sequence - 1,
                check: held[first].previousCheck,
                lost: 0,
                reason: .moved,
                into: &bytes
            )
        }
        for index in first..<fitting {
            write(held[index], continues: index + 1 < end, &session, into: &bytes)
        }
        session.progress.openGroup = fitting < end ? sequence : nil
        return fitting - first
    }

    private mutating func write(
        _ entry: HeldEntry,
        continues: Bool,
        _ session: inout DeviceSession,
        into bytes: inout [UInt8]
    ) {
        framer.append(
            sequence: entry.sequence,
            slot: entry.slot,
            continues: continues,
            redelivered: entry.sequence <= session.progress.redeliveredThrough,
            parcel: entry.parcel.bytes,
            into: &bytes
        )
        session.window.sent(
            sequence: entry.sequence,
            platform: entry.platform,
            bytes: entry.bytes,
            now: now.instant
        )
        sent.append((entry.sequence, entry.platform))
    }

    /// Writes the GAP that is due in front of an entry, or behind all; false when it has to wait,
    /// and what is behind it with it.
    private mutating func tellLoss(
        _ session: inout DeviceSession,
        before entry: HeldEntry?,
        into bytes: inout [UInt8]
    ) -> Bool {
        guard let loss = session.loss, !loss.isTold else { return true }
        if let entry, entry.sequence <= loss.through { return true }
        guard loss.through > framer.complete else {
            // A position does not go back, whatever it was moved by.
            session.loss?.isTold = true
            return true
        }
        // An entry behind the loss was evaluated after the last record of it was read.
        guard session.canTellLoss, let check = loss.check,
            bytes.count + WireLimits.frameHeaderBytes + 64 <= room
        else { return false }
        framer.appendGap(
            to: loss.through,
            check: check,
            lost: loss.lost,
            reason: loss.reason,
            into: &bytes
        )
        session.loss?.isTold = true
        losses += 1
        return true
    }
}
