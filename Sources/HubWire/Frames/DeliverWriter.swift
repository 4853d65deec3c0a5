/// Writes one DELIVER entry by entry into bytes that the caller owns, then patches its counts.
///
/// Between `init` and `finish` only this writer may append to the bytes.
///
///     var writer = DeliverWriter(previousSeq: sent, into: &bytes)
///     while let next = …, writer.hasRoom(for: next.parcel.count, in: bytes) {
///         writer.append(seqDelta: …, slot: …, flags: 0, parcel: next.parcel, into: &bytes)
///     }
///     writer.finish(backlog: 0, into: &bytes)
package struct DeliverWriter {
    private let start: Int
    private var chain: EntryChain
    /// Entries written so far.
    package private(set) var count = 0

    /// Appends a header and a body without entries.
    package init(previousSeq: UInt64, into bytes: inout [UInt8]) {
        start = bytes.count
        chain = EntryChain(after: previousSeq)
        bytes.appendInteger(UInt64(FrameType.deliver.rawValue) << 56)
        bytes.appendInteger(previousSeq)
        bytes.appendInteger(UInt64(0))
    }

    /// Highest complete sequence number with what is written so far.
    package var completeSeq: UInt64 { chain.complete }

    /// Whether a parcel of this size still belongs into this frame.
    ///
    /// A frame ends at 64 entries, and where frame and header would pass `flushBytesMax`; the first
    /// entry always fits, so that a large parcel travels alone.
    package func hasRoom(for parcelByteCount: Int, in bytes: [UInt8]) -> Bool {
        if count == 0 { return true }
        let needed = WireLimits.deliverEntryPrefixBytes + parcelByteCount
        return count < WireLimits.deliverEntriesMax
            && bytes.count - start + needed <= WireLimits.flushBytesMax
    }

    /// Appends an entry; `flags` holds bits of `DeliverFlag`.
    ///
    /// Traps on an entry that a decoder would refuse: these are the hub's own numbers.
    package mutating func append(
        seqDelta: UInt32,
        slot: UInt16,
        flags: UInt8,
        parcel: [UInt8],
        into bytes: inout [UInt8]
    ) {
        prefix(seqDelta: seqDelta, slot: slot, flags: flags, parcel.count, into: &bytes)
        bytes.append(contentsOf: parcel)
    }

    /// Appends an entry with a borrowed parcel.
    package mutating func append(
        seqDelta: UInt32,
        slot: UInt16,
        flags: UInt8,
        parcel: Span<UInt8>,
        into bytes: inout [UInt8]
    ) {
        prefix(seqDelta: seqDelta, slot: slot, flags: flags, parcel.count, into: &bytes)
        bytes.append(copying: parcel)
    }

    /// Writes count, backlog and length; traps when there is no entry.
    package func finish(backlog: UInt32, into bytes: inout [UInt8]) {
        precondition(count > 0, "DELIVER without an entry")
        let body = start + WireLimits.frameHeaderBytes
        bytes.patch(UInt32(bytes.count - body), at: start + 4)
        bytes.patch(UInt16(count), at: body + 8)
        bytes.patch(backlog, at: body + 12)
    }

    private mutating func prefix(
        seqDelta: UInt32,
        slot: UInt16,
        flags: UInt8,
        _ parcelByteCount: Int,
        into bytes: inout [UInt8]
    ) {
        precondition(count < WireLimits.deliverEntriesMax, "DELIVER with too many entries")
        precondition(
            flags & DeliverFlag.unknownCritical == 0
                && chain.accept(delta: seqDelta, slot: slot, eflags: flags),
            "entry \(count): delta \(seqDelta), slot \(slot), flags \(flags)"
        )
        precondition(
            WireLimits.parcelBytesMin..<WireLimits.frameBytesCeiling ~= parcelByteCount,
            "parcel of \(parcelByteCount) bytes"
        )
        count += 1
        // One append for all ten bytes but the low two of the length.
        bytes.appendInteger(
            UInt64(seqDelta) << 32 | UInt64(slot) << 16 | UInt64(flags) << 8
                | UInt64(parcelByteCount >> 16)
        )
        bytes.appendInteger(UInt16(truncatingIfNeeded: parcelByteCount))
    }
}
