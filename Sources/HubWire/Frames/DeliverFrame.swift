/// DELIVER: notifications for one device; parcels borrow the received bytes.
///
///     prev_seq: u64 | count: u16 (1..64) | zero: u16 | backlog: u32 | count x entry
///     entry = seq_delta: u32 | slot: u16 | eflags: u8 | parcel_len: u24 (>= 32) | parcel
///                                                                     big-endian, Protocol §4.13
///
/// Decoding checks the structure and the chain of sequence numbers of all entries, so iterating
/// cannot fail. Parcels are opaque here.
package struct DeliverFrame: ~Escapable {
    private let body: Span<UInt8>
    /// Highest complete sequence number before this frame.
    package let prevSeq: UInt64
    /// Entries of the frame, 1 to 64.
    package let count: Int
    /// Entries that wait behind this frame: 0 is exact, otherwise a lower bound.
    package let backlog: UInt32
    /// Highest complete sequence number after this frame; what may be acknowledged.
    package let completeSeq: UInt64
    /// Whether the last sequence number goes on in the next frame.
    package let endsOpen: Bool

    /// Refuses anything that is not exactly one DELIVER body.
    @_lifetime(copy body)
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .deliver)
        prevSeq = try reader.u64()
        count = Int(try reader.u16())
        try reader.require(count >= 1, limit: 1)
        try reader.require(
            count <= WireLimits.deliverEntriesMax,
            limit: WireLimits.deliverEntriesMax
        )
        try reader.zero(2)
        backlog = try reader.u32()
        guard count * Self.entryBytesMin <= reader.remaining else {
            throw reader.failure(.badLength)
        }
        var chain = EntryChain(after: prevSeq)
        for _ in 0..<count {
            guard reader.remaining >= WireLimits.deliverEntryPrefixBytes else {
                throw reader.failure(.badLength)
            }
            let delta = try reader.u32()
            let slot = try reader.u16()
            let eflags = try reader.u8()
            guard eflags & DeliverFlag.unknownCritical == 0 else {
                throw reader.failure(.unknownFlag)
            }
            try reader.require(chain.accept(delta: delta, slot: slot, eflags: eflags))
            let length = try reader.u24()
            try reader.require(
                length >= WireLimits.parcelBytesMin,
                limit: WireLimits.parcelBytesMin
            )
            _ = try reader.run(length)
        }
        try reader.finish(header)
        completeSeq = chain.complete
        endsOpen = chain.isOpen
        self.body = body
    }

    /// Steps through the entries in order.
    @_lifetime(copy self)
    package func makeIterator() -> Iterator {
        Iterator(body: body, count: count, prevSeq: prevSeq)
    }

    /// The parcel of an entry of this frame.
    @_lifetime(copy self)
    package func parcel(_ entry: DeliverEntry) -> Span<UInt8> { body.extracting(entry.parcel) }

    /// Gives one entry after the other; allocates nothing.
    package struct Iterator: ~Escapable {
        private let body: Span<UInt8>
        private var left: Int
        private var seq: UInt64
        private var position = DeliverFrame.entriesStart

        @_lifetime(copy body)
        init(body: Span<UInt8>, count: Int, prevSeq: UInt64) {
            self.body = body
            left = count
            seq = prevSeq
        }

        /// The next entry, or nil behind the last.
        package mutating func next() -> DeliverEntry? {
            guard left > 0 else { return nil }
            left -= 1
            let start = position + WireLimits.deliverEntryPrefixBytes
            let delta = UInt32(body.bigEndian(at: position, byteCount: 4))
            let eflags = body[position + 6]
            let end = start + body.bigEndian(at: position + 7, byteCount: 3)
            let isTransient = eflags & DeliverFlag.transient != 0
            // The decoder has checked the chain, so this cannot overflow.
            seq &+= UInt64(delta)
            let entry = DeliverEntry(
                seq: isTransient ? nil : seq,
                seqDelta: delta,
                slot: UInt16(body.bigEndian(at: position + 4, byteCount: 2)),
                eflags: eflags,
                parcel: start..<end
            )
            position = end
            return entry
        }
    }

    /// Where the first entry begins in the body.
    static let entriesStart = 16
    /// Bytes of the smallest entry.
    private static let entryBytesMin =
        WireLimits.deliverEntryPrefixBytes + WireLimits.parcelBytesMin
}
