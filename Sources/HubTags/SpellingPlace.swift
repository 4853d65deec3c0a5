/// Where the spelling of a tag lies in one array of bytes, in eight bytes.
struct SpellingPlace {
    /// The offset in the upper 48 bits, the length in the lower 16.
    private let bits: UInt64

    /// The place of a number that no tag has.
    static let free = SpellingPlace(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    /// Makes a place of an offset below 2^48 − 1 and a length of at most 65,535 bytes.
    init(offset: Int, length: Int) {
        bits = UInt64(truncatingIfNeeded: offset) &<< 16 | UInt64(truncatingIfNeeded: length)
    }

    /// Whether no tag has the number.
    var isFree: Bool { bits == .max }

    /// Bytes of the spelling.
    var length: Int { Int(truncatingIfNeeded: bits & 0xFFFF) }

    /// The bytes of the spelling.
    var range: Range<Int> {
        let start = Int(truncatingIfNeeded: bits &>> 16)
        return start..<start &+ length
    }
}
