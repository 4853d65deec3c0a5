/// UNREGISTER: removes one of the device's slots, or all.
///
///     slot: u16 (0..15, or 0xFFFF: all) | zero: u16                    big-endian, Protocol §4.10
package struct UnregisterFrame: Equatable, Sendable {
    /// Stands for all of the device's own slots.
    package static let allSlots: UInt16 = 0xFFFF

    /// The request id, never 0.
    package var ref: UInt16
    /// Which slot, 0 to `slotMax`, or `allSlots`.
    package var slot: UInt16

    /// The fields of an UNREGISTER to send.
    package init(slot: UInt16, ref: UInt16) {
        self.slot = slot
        self.ref = ref
    }

    /// Refuses anything that is not exactly one UNREGISTER body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .unregister)
        ref = header.ref
        slot = try reader.u16()
        try reader.require(
            slot <= WireLimits.slotMax || slot == Self.allSlots,
            limit: WireLimits.slotMax
        )
        try reader.zero(2)
        try reader.finish(header)
    }

    /// Appends the frame; traps on a slot that no device has.
    package func encode(into bytes: inout [UInt8]) {
        precondition(ref != 0, "a request needs an id")
        precondition(slot <= WireLimits.slotMax || slot == Self.allSlots, "slot \(slot)")
        let frame = WireWriter(.unregister, ref: ref, into: &bytes)
        bytes.appendInteger(slot)
        bytes.appendInteger(UInt16(0))
        frame.finish(&bytes)
    }
}
