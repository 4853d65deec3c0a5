/// GAP: the position moves over entries that will not come.
///
///     from: u64 | to: u64 (> from) | lost: u32 | check: u32 | reason: u8 | zero: 3 bytes
///                                                                     big-endian, Protocol §4.15
package struct GapFrame: Equatable, Sendable {
    /// The device's position.
    package var from: UInt64
    /// The position from now on.
    package var to: UInt64
    /// Entries lost; 0xFFFFFFFF is unknown.
    package var lost: UInt32
    /// Check of `to`.
    package var check: UInt32
    /// See `GapReason`; data, not structure.
    package var reason: UInt8

    /// The fields of a GAP to send.
    package init(from: UInt64, to: UInt64, lost: UInt32, check: UInt32, reason: GapReason) {
        self.from = from
        self.to = to
        self.lost = lost
        self.check = check
        self.reason = reason.rawValue
    }

    /// Refuses anything that is not exactly one GAP body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .gap)
        from = try reader.u64()
        to = try reader.u64()
        try reader.require(to > from)
        lost = try reader.u32()
        check = try reader.u32()
        reason = try reader.u8()
        try reader.zero(3)
        try reader.finish(header)
    }

    /// Appends the frame; traps when it would not move forward.
    package func encode(into bytes: inout [UInt8]) {
        precondition(to > from, "GAP from \(from) to \(to)")
        let frame = WireWriter(.gap, into: &bytes)
        bytes.appendInteger(from)
        bytes.appendInteger(to)
        bytes.appendInteger(lost)
        bytes.appendInteger(check)
        bytes.append(reason)
        bytes.append(0)
        bytes.appendInteger(UInt16(0))
        frame.finish(&bytes)
    }
}
