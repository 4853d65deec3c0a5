/// An earlier stretch of a text that is repeated.
///
/// It is found in a table of places: for each hash of three bytes the newest place with it, counted
/// from 1, and behind these for each place the one before it with its hash.
struct RepeatedText {
    static let lengthMin = 3
    static let lengthMax = 258
    /// One as long ends the search for a longer one.
    static let lengthGood = 32
    /// Earlier places that one search compares.
    private static let triesMax = 16
    private static let hashCount = 1 << 12

    /// Less than `lengthMin` when nothing is worth repeating.
    private(set) var length = lengthMin - 1
    private(set) var distance = 0

    /// The table of a text, with room for so many bytes behind it.
    static func table(of text: [UInt8], room: Int) -> [UInt16] {
        var places = [UInt16](repeating: 0, count: hashCount + text.count + room)
        var table = places.mutableSpan
        for place in text.indices { enter(place, of: text.span, in: &table) }
        return places
    }

    /// The longest stretch that goes on as the text does at a place, as far as is worth a search.
    @inline(__always)
    init(at place: Int, of text: Span<UInt8>, in table: borrowing MutableSpan<UInt16>) {
        let longest = min(Self.lengthMax, text.count - place)
        guard longest >= Self.lengthMin else { return }
        var candidate = Int(table[Self.hash(place, of: text)])
        var tries = Self.triesMax
        while candidate > 0, tries > 0, length < min(longest, Self.lengthGood) {
            let other = candidate - 1
            if text[other + length] == text[place + length] {
                var same = 0
                while same < longest, text[other + same] == text[place + same] { same += 1 }
                if same > length { (length, distance) = (same, place - other) }
            }
            candidate = Int(table[Self.hashCount + other])
            tries -= 1
        }
    }

    /// Enters a place; the last two of a text have no three bytes.
    @inline(__always)
    static func enter(_ place: Int, of text: Span<UInt8>, in table: inout MutableSpan<UInt16>) {
        guard place + 2 < text.count else { return }
        let hash = hash(place, of: text)
        table[hashCount + place] = table[hash]
        table[hash] = UInt16(truncatingIfNeeded: place + 1)
    }

    /// Takes out the places from `start` on, behind `end` there are none.
    static func forget(
        from start: Int,
        to end: Int,
        of text: Span<UInt8>,
        in table: inout MutableSpan<UInt16>
    ) {
        var place = min(end, text.count - 2)
        while place > start {
            place -= 1
            table[hash(place, of: text)] = table[hashCount + place]
        }
    }

    @inline(__always)
    private static func hash(_ place: Int, of text: Span<UInt8>) -> Int {
        let three =
            UInt32(text[place]) | UInt32(text[place + 1]) << 8 | UInt32(text[place + 2]) << 16
        return Int((three &* 0x9E37_79B1) >> 20)
    }
}
