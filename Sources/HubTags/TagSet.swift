/// The tags of one registration: byte strings, each once under folding, in the order first seen.
///
/// One array of bytes and one of entries, so a set costs two blocks of memory however many tags it
/// has. Finding a tag scans the hashes: sets have at most some dozens of tags.
package struct TagSet: Sendable, Equatable {
    struct Entry: Sendable {
        var hash: UInt64
        /// Where the tag ends in `bytes`; it begins where the one before ends.
        var end: UInt32
    }

    private(set) var entries: [Entry] = []
    /// The spellings, one behind the other in the order of the set.
    package private(set) var bytes: [UInt8] = []

    /// The set without tags.
    package init() {}

    /// The set of these tags; of several that are equal under folding the first is kept.
    package init(_ tags: [[UInt8]]) {
        for tag in tags { append(tag.span) }
    }

    /// How many tags the set has.
    package var count: Int { entries.count }

    /// Whether the set has no tag.
    package var isEmpty: Bool { entries.isEmpty }

    /// Where the tag with this index stands in ``bytes``; indices follow the order of the set.
    package func range(at index: Int) -> Range<Int> {
        let start = index == 0 ? 0 : Int(entries[index - 1].end)
        return start..<Int(entries[index].end)
    }

    /// The bytes of the tag with this index.
    @_lifetime(borrow self)
    package func tag(at index: Int) -> Span<UInt8> {
        bytes.span.extracting(range(at: index))
    }

    /// Calls `body` with every tag, in the order of the set.
    package func forEach<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        for index in 0..<count { try body(tag(at: index)) }
    }

    /// Whether `tag` is in the set, in any spelling.
    package func contains(_ tag: Span<UInt8>) -> Bool {
        contains(tag, hash: TagHash.fixed.value(of: tag))
    }

    /// Whether the index of `tag`, in any spelling, exists, and which it is.
    package func index(of tag: Span<UInt8>) -> Int? {
        index(of: tag, hash: TagHash.fixed.value(of: tag))
    }

    /// Adds `tag` behind the others unless it is there in some spelling; says whether it was added.
    ///
    /// Linear in the size of the set: check the number of tags received against its limit first.
    @discardableResult
    package mutating func append(_ tag: Span<UInt8>) -> Bool {
        let hash = TagHash.fixed.value(of: tag)
        guard !contains(tag, hash: hash) else { return false }
        appendNew(tag, hash: hash)
        return true
    }

    /// Makes room for `tags` tags of `bytes` bytes together.
    package mutating func reserveCapacity(tags: Int, bytes count: Int) {
        entries.reserveCapacity(tags)
        bytes.reserveCapacity(count)
    }

    /// This set and behind it the tags of `other` that it doesn't have.
    package func union(_ other: TagSet) -> TagSet {
        var joined = self
        for index in 0..<other.count { joined.append(other.tag(at: index)) }
        return joined
    }

    /// The tags of this set that `other` doesn't have in any spelling.
    package func subtracting(_ other: TagSet) -> TagSet {
        var rest = TagSet()
        for index in 0..<count where !other.contains(tag(at: index), hash: entries[index].hash) {
            rest.appendNew(tag(at: index), hash: entries[index].hash)
        }
        return rest
    }

    /// Whether both hold the same tags, whatever their order and spelling.
    package static func == (left: TagSet, right: TagSet) -> Bool {
        guard left.count == right.count else { return false }
        for index in 0..<left.count {
            let hash = left.entries[index].hash
            guard right.contains(left.tag(at: index), hash: hash) else { return false }
        }
        return true
    }

    /// As ``contains(_:)`` for a caller that has the fixed hash of `tag`.
    func contains(_ tag: Span<UInt8>, hash: UInt64) -> Bool {
        index(of: tag, hash: hash) != nil
    }

    private func index(of tag: Span<UInt8>, hash: UInt64) -> Int? {
        for index in entries.indices where entries[index].hash == hash {
            if TagRules.equal(self.tag(at: index), tag) { return index }
        }
        return nil
    }

    private mutating func appendNew(_ tag: Span<UInt8>, hash: UInt64) {
        for index in tag.indices { bytes.append(tag[index]) }
        entries.append(Entry(hash: hash, end: UInt32(bytes.count)))
    }
}
