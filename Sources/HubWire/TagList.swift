/// A list of tags where it lies in the received bytes; its structure is already checked.
///
///     | count: u16 | total: u16 | count x ( length: u8 | tag bytes ) |   total = sum of (1 + length)
///
/// How long a tag may be, which characters it may hold and how many tags a slot may have is not
/// structure: the session answers those with RESULT. Source: Protocol [T-1] to [T-3].
package struct TagList: ~Escapable {
    private let bytes: Span<UInt8>
    /// How many tags.
    package let count: Int

    /// The view of a list that `WireReader.tagList` has checked.
    @_lifetime(copy bytes)
    init(checked bytes: Span<UInt8>, count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Bytes of the list behind its two counts.
    package var total: Int { bytes.count }

    /// The bytes of the tag at a range that this list's iterator gave.
    @_lifetime(copy self)
    package func tag(_ range: Range<Int>) -> Span<UInt8> { bytes.extracting(range) }

    /// Steps through the tags in order.
    @_lifetime(copy self)
    package func makeIterator() -> Iterator { Iterator(bytes: bytes) }

    /// Gives the range of one tag after the other; allocates nothing.
    package struct Iterator: ~Escapable {
        private let bytes: Span<UInt8>
        private var position = 0

        @_lifetime(copy bytes)
        init(bytes: Span<UInt8>) { self.bytes = bytes }

        /// The range of the next tag within the list, for `TagList.tag`.
        package mutating func next() -> Range<Int>? {
            guard position < bytes.count else { return nil }
            let start = position + 1
            position = start + Int(bytes[start - 1])
            return start..<position
        }
    }

    /// Every tag as bytes of its own.
    package func copied() -> [[UInt8]] {
        var tags: [[UInt8]] = []
        var iterator = makeIterator()
        while let range = iterator.next() { tags.append([UInt8](copying: tag(range))) }
        return tags
    }
}

extension WireReader {
    /// Passes over a tag list after checking its structure.
    mutating func tagList() throws(WireError) -> TagListPlace {
        let count = Int(try u16())
        let total = Int(try u16())
        guard total <= remaining else { throw failure(.badLength) }
        guard total >= 2 * count else { throw failure(.badTags) }
        let end = remaining - total
        let start = position
        for _ in 0..<count {
            guard remaining > end else { throw failure(.badTags) }
            let length = Int(try u8())
            guard length > 0, length <= remaining - end else { throw failure(.badTags) }
            _ = try run(length)
        }
        guard remaining == end else { throw failure(.badTags) }
        return TagListPlace(range: start..<position, count: count)
    }
}
