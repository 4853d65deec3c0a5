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

/// Tags that are looked up together.
struct TagBatch {
    /// What is known of a tag so far.
    struct Probe {
        /// Where it ends in `bytes`.
        var end: Int
        /// The upper half of its hash.
        var half: UInt64 = 0
        /// What is in its home bucket.
        var content: UInt64 = 0
        /// Where the spelling of the tag in that bucket begins, and its length.
        var spelling: (offset: UInt32, length: UInt32) = (0, 0)
    }

    /// The tags, one behind the other.
    private(set) var bytes: [UInt8] = []
    var probes: [Probe] = []
    /// Their numbers, once they were looked up.
    var numbers: [UInt32] = []

    var count: Int { probes.count }

    mutating func append(_ tag: Span<UInt8>) {
        for index in tag.indices { bytes.append(tag[index]) }
        probes.append(Probe(end: bytes.count))
    }

    @_lifetime(borrow self)
    func tag(at index: Int) -> Span<UInt8> {
        let start = index == 0 ? 0 : probes[index &- 1].end
        return bytes.span.extracting(start..<probes[index].end)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        probes.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
    }
}
