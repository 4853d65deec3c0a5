/// The place of one registration in an index: dense, reused, chosen and owned by the caller.
///
/// Memory of an index is linear in the highest slot ever inserted, so slots are given out from 0 and
/// used again when free.
package struct SlotIndex: Hashable, Comparable, Sendable {
    /// The number of the slot, from 0.
    package var raw: UInt32

    /// Names the slot with this number.
    package init(raw: UInt32) {
        self.raw = raw
    }

    /// Orders slots by number.
    package static func < (left: SlotIndex, right: SlotIndex) -> Bool {
        left.raw < right.raw
    }
}
