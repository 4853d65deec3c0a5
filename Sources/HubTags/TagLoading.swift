/// Fills a new index with very many registrations at once.
///
/// One by one, each tag waits for memory several times: for its bucket, its spelling, its posting
/// list. Here tags are looked up many together, so that their ways to memory overlap, and posting
/// lists are made at the end, each at its final size, by counting. Until ``finish(_:)`` the index
/// must not be asked for anything.
package struct TagLoading: ~Copyable {
    /// Tags that are looked up together: what is known of them meanwhile stays in the nearest cache.
    static let batchTags = 512

    private var batch = TagBatch()
    /// Registrations of the batch, and where the tags of each end.
    private var slots: [(slot: SlotIndex, end: Int)] = []

    /// Nothing yet.
    package init() {}

    /// Adds a tag to the registration that ``end(_:in:)`` will name.
    package mutating func add(_ tag: Span<UInt8>) {
        precondition(tag.count <= UInt16.max, "a tag has at most 65,535 bytes")
        batch.append(tag)
    }

    /// Enters a registration with the tags added since the last call into a free slot; a tag given
    /// twice counts once.
    package mutating func end(_ slot: SlotIndex, in index: inout TagIndex) {
        slots.append((slot, batch.count))
        if batch.count >= Self.batchTags || slots.count >= Self.batchTags { flush(into: &index) }
    }

    /// Enters what is left and makes all posting lists.
    package mutating func finish(_ index: inout TagIndex) {
        flush(into: &index)
        index.makeLists()
        batch = TagBatch()
        slots = []
    }

    private mutating func flush(into index: inout TagIndex) {
        index.load(&batch)
        var start = 0
        for (slot, end) in slots {
            index.load(slot, tags: batch.numbers[start..<end])
            start = end
        }
        precondition(start == batch.count, "tags that were added belong to no registration")
        slots.removeAll(keepingCapacity: true)
        batch.removeAll()
    }
}
