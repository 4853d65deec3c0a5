/// How TAGS changes the tags of a slot.
package enum TagsMode: UInt8, CaseIterable, Sendable {
    /// The list to add becomes all the tags.
    case replace = 0
    /// The list to remove goes, then the list to add comes.
    case patch = 1
}

/// TAGS: changes the tags of a slot; the lists borrow the received bytes.
///
///     slot: u16 (0..15) | mode: u8 | zero: u8 | if_etag: u64 | TAGLIST add | TAGLIST remove
///                                                                     big-endian, Protocol §4.11
package struct TagsFrame: ~Escapable {
    private let body: Span<UInt8>
    private let addPlace: TagListPlace
    private let removePlace: TagListPlace
    /// The request id, never 0.
    package let ref: UInt16
    /// Which slot, 0 to `slotMax`.
    package let slot: UInt16
    /// Replace or patch.
    package let mode: TagsMode
    /// The state that the device expects; 0 is unconditional.
    package let ifETag: UInt64

    /// Refuses anything that is not exactly one TAGS body.
    @_lifetime(copy body)
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .tags)
        ref = header.ref
        slot = try reader.u16()
        try reader.require(slot <= WireLimits.slotMax, limit: WireLimits.slotMax)
        guard let mode = TagsMode(rawValue: try reader.u8()) else {
            throw reader.failure(.badField)
        }
        self.mode = mode
        try reader.zero(1)
        ifETag = try reader.u64()
        addPlace = try reader.tagList()
        removePlace = try reader.tagList()
        try reader.require(mode == .patch || removePlace.count == 0)
        try reader.finish(header)
        self.body = body
    }

    /// Tags to add, or all the tags.
    package var add: TagList {
        @_lifetime(copy self)
        get { TagList(checked: body.extracting(addPlace.range), count: addPlace.count) }
    }

    /// Tags to remove; empty when all are replaced.
    package var remove: TagList {
        @_lifetime(copy self)
        get { TagList(checked: body.extracting(removePlace.range), count: removePlace.count) }
    }
}

/// What a device puts into TAGS; fields as in `TagsFrame`.
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
