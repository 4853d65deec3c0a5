/// Tags that are looked up together.
struct TagBatch {
    /// The state of one tag's look-up.
    struct Probe {
        /// Where it ends in `bytes`.
        var end: Int
        /// The upper half of its hash.
        var half: UInt64 = 0
        /// The entry in its home bucket.
        var content: UInt64 = 0
        /// Where the spelling of the tag in that bucket lies.
        var spelling = SpellingPlace(offset: 0, length: 0)
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
