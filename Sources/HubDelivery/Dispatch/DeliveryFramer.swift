import HubWire

/// Lays entries out as DELIVER frames: the chain of sequence numbers, groups, and the split into
/// frames of at most 64 entries and one flush.
///
/// Source: rules G; Protocol, DELIVER.
struct DeliveryFramer {
    private var writer: DeliverWriter?
    /// Sequence of the last entry of the frame in progress; `complete` before the first one.
    private var chain: UInt64
    /// Highest sequence number that has all its entries written.
    private(set) var complete: UInt64

    /// Goes on after `complete`.
    init(complete: UInt64) {
        self.complete = complete
        chain = complete
    }

    /// Whether an entry of this sequence fits the u32 delta; otherwise a GAP must go first.
    func reaches(_ sequence: UInt64) -> Bool { sequence - complete <= UInt64(UInt32.max) }

    /// Appends one entry; `continues` when another of the same sequence follows.
    mutating func append(
        sequence: UInt64,
        slot: UInt16,
        continues: Bool,
        redelivered: Bool,
        parcel: [UInt8],
        into bytes: inout [UInt8]
    ) {
        open(for: parcel.count, into: &bytes)
        var flags: UInt8 = redelivered ? DeliverFlag.redelivered : 0
        if continues { flags |= DeliverFlag.continues }
        let delta = UInt32(truncatingIfNeeded: sequence - chain)
        writer?.append(seqDelta: delta, slot: slot, flags: flags, parcel: parcel, into: &bytes)
        chain = sequence
        if !continues { complete = sequence }
    }

    /// Appends an entry without a position.
    mutating func appendTransient(slot: UInt16, parcel: [UInt8], into bytes: inout [UInt8]) {
        open(for: parcel.count, into: &bytes)
        writer?.append(
            seqDelta: 0,
            slot: slot,
            flags: DeliverFlag.transient,
            parcel: parcel,
            into: &bytes
        )
    }

    /// Appends a GAP that moves the position, with or without a loss.
    mutating func appendGap(
        to sequence: UInt64,
        check: UInt32,
        lost: UInt32,
        reason: GapReason,
        into bytes: inout [UInt8]
    ) {
        finish(backlog: 1, into: &bytes)
        GapFrame(from: complete, to: sequence, lost: lost, check: check, reason: reason)
            .encode(into: &bytes)
        complete = sequence
        chain = sequence
    }

    /// Ends the frame in progress; `backlog` is a lower bound, 0 exactly when nothing waits.
    mutating func finish(backlog: UInt32, into bytes: inout [UInt8]) {
        guard let writer else { return }
        writer.finish(backlog: backlog, into: &bytes)
        self.writer = nil
        // A frame never goes on from inside a group: its first entry counts from `complete`.
        chain = complete
    }

    private mutating func open(for parcelBytes: Int, into bytes: inout [UInt8]) {
        if let writer {
            if writer.hasRoom(for: parcelBytes, in: bytes) { return }
            finish(backlog: 1, into: &bytes)
        }
        writer = DeliverWriter(previousSeq: complete, into: &bytes)
    }
}
