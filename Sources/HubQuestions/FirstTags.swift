import HubModel
import HubVocabulary

/// Of tags that are handed in one by one, so many that come first in the order of their folded bytes.
///
/// One that comes behind all of these costs a comparison, and no memory.
struct FirstTags {
    private let prefix: [UInt8]
    /// None that comes before it, and not it itself, is wanted.
    private let after: [UInt8]
    private let limit: Int
    /// At most twice as many as are wanted.
    private var found: [(folded: [UInt8], count: TagCount)] = []
    /// None behind it is wanted, and not it itself; nil for no such place.
    private var last: [UInt8]?

    /// Looks for tags with a prefix behind one place and before another, all of them folded.
    init(prefix: [UInt8], after: [UInt8], before last: [UInt8]?, limit: Int) {
        (self.prefix, self.after) = (prefix, after)
        (self.last, self.limit) = (last, limit)
    }

    /// Takes one of the tags.
    mutating func take(_ tag: Span<UInt8>, registrations: Int) {
        guard Self.begins(tag, prefix), Self.order(tag, after) == .behind else { return }
        if let last, Self.order(tag, last) != .before { return }
        let spelling = tag.bytes(in: 0..<tag.count)
        let count = TagCount(tag: spelling, registrations: registrations)
        found.append((count.folded, count))
        if found.count >= 2 * limit { cut() }
    }

    /// Those that are wanted, in their order.
    mutating func counts() -> [TagCount] {
        cut()
        return found.map(\.count)
    }

    private mutating func cut() {
        found.sort { $0.folded.lexicographicallyPrecedes($1.folded) }
        guard found.count >= limit else { return }
        found.removeLast(found.count - limit)
        last = found.last?.folded
    }

    private enum Order { case before, same, behind }

    /// How a tag stands to folded bytes.
    private static func order(_ tag: Span<UInt8>, _ folded: [UInt8]) -> Order {
        for index in 0..<min(tag.count, folded.count) where tag[index] != folded[index] {
            let byte = ASCII.lower(tag[index])
            if byte != folded[index] { return byte < folded[index] ? .before : .behind }
        }
        return tag.count == folded.count ? .same : tag.count < folded.count ? .before : .behind
    }

    private static func begins(_ tag: Span<UInt8>, _ folded: [UInt8]) -> Bool {
        guard tag.count >= folded.count else { return false }
        for index in folded.indices where tag[index] != folded[index] {
            guard ASCII.lower(tag[index]) == folded[index] else { return false }
        }
        return true
    }
}
