/// CRC-32C (Castagnoli), the checksum kept beside every stored row.
///
/// Finds damage, not forgery. Eight bytes per step through tables made once.
package struct Checksum {
    /// Eight tables of 256 entries: table k holds the effect of a byte that k more bytes follow.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { value -> UInt32 in
            (0..<8).reduce(UInt32(value)) { crc, _ in
                crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78
            }
        }
        for index in 0..<7 * 256 {
            let last = tables[index]
            tables.append(tables[Int(last & 0xFF)] ^ last >> 8)
        }
        return tables
    }()

    private var state: UInt32 = .max

    /// Begins with integers.
    package init(_ integers: [UInt64] = []) {
        for integer in integers { append(integer) }
    }

    /// The checksum of everything appended so far.
    package var value: UInt32 { ~state }

    /// Goes on with more bytes.
    package mutating func append(_ bytes: [UInt8]) { append(bytes.span) }

    /// Goes on with more bytes.
    ///
    /// The preconditions on lengths let the optimiser drop the check of each access.
    package mutating func append(_ bytes: Span<UInt8>) {
        let tables = Self.tables.span
        precondition(tables.count == 2_048, "eight tables")
        var crc = state
        var index = 0
        let count = bytes.count
        while index &+ 8 <= count {
            let word = bytes.extracting(index..<index &+ 8)
            precondition(word.count == 8, "eight bytes")
            crc ^= UInt32(word[0]) | UInt32(word[1]) << 8
            crc ^= UInt32(word[2]) << 16 | UInt32(word[3]) << 24
            let low = tables[0x700 | Int(crc & 0xFF)] ^ tables[0x600 | Int(crc >> 8 & 0xFF)]
            let middle = tables[0x500 | Int(crc >> 16 & 0xFF)] ^ tables[0x400 | Int(crc >> 24)]
            let high = tables[0x300 | Int(word[4])] ^ tables[0x200 | Int(word[5])]
            crc = low ^ middle ^ high
            crc ^= tables[0x100 | Int(word[6])] ^ tables[Int(word[7])]
            index &+= 8
        }
        while index < count {
            crc = tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)] ^ crc >> 8
            index &+= 1
        }
        state = crc
    }

    /// Goes on with an integer, least significant byte first.
    package mutating func append(_ value: UInt64) {
        var crc = state
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            let byte = UInt32(truncatingIfNeeded: value >> shift) & 0xFF
            crc = Self.tables[Int((crc ^ byte) & 0xFF)] ^ crc >> 8
        }
        state = crc
    }
}
