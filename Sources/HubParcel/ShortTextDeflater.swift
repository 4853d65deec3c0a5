/// Deflates short texts against a dictionary, with the fixed codes alone.
///
/// Source: Decisions/ShortParcels.
struct ShortTextDeflater: ~Copyable {
    /// Longer texts earn codes of their own.
    static let bytesMax = 512

    /// The dictionary, then the text at hand.
    private var text: [UInt8]
    private let start: Int
    /// What `RepeatedText` searches.
    private var places: [UInt16]
    private var output = [UInt8](repeating: 0, count: bytesMax + 8)
    private let codes: Codes

    private struct Codes {
        let literals = (0...255).map { FixedCode(literal: $0) }
        let lengths = (0...RepeatedText.lengthMax).map { FixedCode(length: max(3, $0)) }
        let distances: [FixedCode]
    }

    /// Indexes a dictionary of at most 2^13 bytes.
    init(dictionary: [UInt8]) {
        (text, start) = (dictionary, dictionary.count)
        places = RepeatedText.table(of: dictionary, room: Self.bytesMax)
        codes = Codes(
            distances: (0...start + Self.bytesMax).map { FixedCode(distance: max(1, $0)) }
        )
    }

    /// Appends the compressed form of `source` if that saves a quarter, and says whether it did.
    ///
    /// What saves less may have few different bytes: codes of its own serve it better.
    mutating func append(_ source: [UInt8], to bytes: inout [UInt8]) -> Bool {
        guard source.count <= Self.bytesMax else { return false }
        text.replaceSubrange(start..., with: source)
        let room = source.count / 4 * 3
        let count = Self.encode(text, from: start, codes, &places, into: &output, room: room)
        guard count <= room else { return false }
        bytes.append(contentsOf: output[..<count])
        return true
    }

    /// Returns the bytes of output, more than `room` when it gave up.
    private static func encode(
        _ bytes: [UInt8],
        from start: Int,
        _ codes: Codes,
        _ places: inout [UInt16],
        into output: inout [UInt8],
        room: Int
    ) -> Int {
        let text = bytes.span
        var table = places.mutableSpan
        var output = output.mutableSpan
        var writer = BitWriter()
        writer.put(.lastBlock, into: &output)
        var place = start
        var later: RepeatedText?
        while place < text.count, writer.count <= room {
            let found = later ?? RepeatedText(at: place, of: text, in: table)
            RepeatedText.enter(place, of: text, in: &table)
            later = nil
            if found.length >= RepeatedText.lengthMin, found.length < RepeatedText.lengthGood {
                // A byte as it is may lead to a longer one.
                let next = RepeatedText(at: place + 1, of: text, in: table)
                if next.length > found.length { later = next }
            }
            guard found.length >= RepeatedText.lengthMin, later == nil else {
                writer.put(codes.literals[Int(text[place])], into: &output)
                place += 1
                continue
            }
            writer.put(codes.lengths[found.length], into: &output)
            writer.put(codes.distances[found.distance], into: &output)
            for passed in place + 1..<place + found.length {
                RepeatedText.enter(passed, of: text, in: &table)
            }
            place += found.length
        }
        if place == text.count { writer.put(.end, into: &output) }
        // The next text must not find this one.
        RepeatedText.forget(from: start, to: place, of: text, in: &table)
        return place == text.count ? writer.count : room + 1
    }
}

/// Writes codes, the lowest bit of each byte first.
private struct BitWriter {
    private(set) var count = 0
    private var rest: UInt64 = 0
    private var restCount: UInt32 = 0

    @inline(__always)
    mutating func put(_ code: FixedCode, into bytes: inout MutableSpan<UInt8>) {
        rest |= UInt64(code.bits) << UInt64(restCount)
        restCount += code.count
        while restCount >= 8 {
            bytes[count] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
            restCount -= 8
            count += 1
        }
    }
}
