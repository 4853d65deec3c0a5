/// The content of a TAGS frame, as a device composes it; fields as in `TagsFrame`.
package struct TagsMessage: Equatable, Sendable {
    /// Which slot, 0 to `slotMax`.
    package var slot: UInt16
    /// Replace or patch.
    package var mode: TagsMode
    /// The state that the device expects; 0 is unconditional.
    package var ifETag: UInt64
    /// Tags to add, or all the tags, as bytes.
    package var add: [[UInt8]]
    /// Tags to remove; empty when all are replaced.
    package var remove: [[UInt8]]

    /// Removes and adds tags of a slot.
    package init(slot: UInt16, add: [[UInt8]], remove: [[UInt8]], ifETag: UInt64 = 0) {
        self.slot = slot
        mode = .patch
        self.ifETag = ifETag
        self.add = add
        self.remove = remove
    }

    /// Replaces the tags of a slot.
    package init(slot: UInt16, replacingWith tags: [[UInt8]], ifETag: UInt64 = 0) {
        self.slot = slot
        mode = .replace
        self.ifETag = ifETag
        add = tags
        remove = []
    }

    /// The fields of a received TAGS.
    package init(_ frame: borrowing TagsFrame) {
        slot = frame.slot
        mode = frame.mode
        ifETag = frame.ifETag
        add = frame.add.copied()
        remove = frame.remove.copied()
    }

    /// Appends the frame.
    ///
    /// - Throws: what the hub's decoder would say of it; nothing is appended then.
    package func encode(into bytes: inout [UInt8], ref: UInt16) throws(WireError) {
        precondition(ref != 0, "a request needs an id")
        let frame = WireWriter(.tags, ref: ref, into: &bytes)
        guard slot <= WireLimits.slotMax, mode == .patch || remove.isEmpty else {
            throw frame.refuse(.badField, limit: 0, &bytes)
        }
        bytes.appendInteger(slot)
        bytes.append(mode.rawValue)
        bytes.append(0)
        bytes.appendInteger(ifETag)
        try frame.tagList(add, into: &bytes)
        try frame.tagList(remove, into: &bytes)
        try frame.finishChecked(&bytes)
    }
}
