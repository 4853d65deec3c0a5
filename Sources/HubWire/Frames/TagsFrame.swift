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
