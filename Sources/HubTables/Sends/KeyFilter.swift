import HubModel
import HubVocabulary

/// Which keys may have been seen; it never denies one that was, and seldom takes a new one for seen.
///
/// A list of Bloom filters, one behind the other in time, with two bytes for each key. A block of each
/// is a cache line. Of 1,000 new keys a part denies about 999. Each part is as large as those before
/// it together, up to a quarter of all, so a full filter of a hub has some eleven: it denies 985.
struct KeyFilter {
    private struct Part {
        let room: Int
        var words: [UInt64]
        var count = 0
        var newest = Timestamp(milliseconds: 0)

        init(room: Int) {
            self.room = room
            let blocks = room * KeyFilter.bitsOfKey / (KeyFilter.wordsOfBlock * UInt64.bitWidth)
            words = Array(repeating: 0, count: blocks * KeyFilter.wordsOfBlock)
        }
    }

    private static let bitsOfKey = 16
    private static let wordsOfBlock = 8
    private static let marksOfKey = 6
    private static let roomMin = 1_024

    private let roomMin: Int
    private let keysMax: Int
    private var parts: [Part] = []

    /// Room for `keysMax` keys; the first part takes about `roomMin`.
    init(roomMin: Int, keysMax: Int) {
        self.roomMin = max(Self.roomMin, roomMin)
        self.keysMax = keysMax
    }

    /// Remembers a key that came at a time, mostly no earlier than those before it.
    ///
    /// - Returns: the time up to which keys were forgotten for it, where there was no room.
    mutating func insert(_ scope: KeyHash, at time: Timestamp) -> Timestamp? {
        let isFull = parts.last.map { $0.count >= $0.room } ?? true
        let forgotten = isFull ? addPart() : nil
        let last = parts.count - 1
        let start = Self.block(of: scope, in: parts[last].words)
        for mark in 0..<Self.marksOfKey {
            let (word, bit) = Self.place(mark, of: scope)
            parts[last].words[start + word] |= bit
        }
        parts[last].count += 1
        parts[last].newest = max(parts[last].newest, time)
        return forgotten
    }

    /// Remembers the keys of another filter, which came earlier.
    ///
    /// - Returns: the time up to which keys were forgotten, where there was no room for all.
    mutating func insert(earlier other: KeyFilter) -> Timestamp? {
        parts.insert(contentsOf: other.parts, at: 0)
        return makeRoom(for: 0)
    }

    private mutating func addPart() -> Timestamp? {
        let kept = parts.reduce(0) { $0 + $1.count }
        let room = max(roomMin, min(kept, keysMax / 4))
        let forgotten = makeRoom(for: room)
        parts.append(Part(room: room))
        return forgotten
    }

    /// Lets go of the first parts where so many keys have no room beside them.
    private mutating func makeRoom(for more: Int) -> Timestamp? {
        var kept = parts.reduce(0) { $0 + $1.count }
        var forgotten: Timestamp?
        while let first = parts.first, kept + more > keysMax {
            forgotten = max(forgotten ?? first.newest, first.newest)
            kept -= first.count
            parts.removeFirst()
        }
        return forgotten
    }

    /// Whether a key may be among those of parts that still count.
    func mayHold(_ scope: KeyHash, where counts: (Timestamp) -> Bool) -> Bool {
        parts.reversed().contains { part in
            guard counts(part.newest) else { return false }
            let start = Self.block(of: scope, in: part.words)
            return (0..<Self.marksOfKey).allSatisfy { mark in
                let (word, bit) = Self.place(mark, of: scope)
                return part.words[start + word] & bit != 0
            }
        }
    }

    /// Lets go of parts none of whose keys counts any more.
    mutating func forget(where counts: (Timestamp) -> Bool) {
        while let first = parts.first, !counts(first.newest) { parts.removeFirst() }
    }

    /// The hash is as good as dice: one half chooses the block, the other the bits in it.
    private static func block(of scope: KeyHash, in words: [UInt64]) -> Int {
        Int(scope.low % UInt64(words.count / wordsOfBlock)) * wordsOfBlock
    }

    private static func place(_ mark: Int, of scope: KeyHash) -> (word: Int, bit: UInt64) {
        let number = Int(scope.high >> UInt64(9 * mark) & 511)
        return (number / UInt64.bitWidth, 1 << UInt64(number % UInt64.bitWidth))
    }
}
