/// CRC-32C (Castagnoli), the checksum kept beside every stored row.
///
/// Finds damage, not forgery. Eight bytes per step through tables made once.
struct Checksum {
    /// Table k holds the effect of a byte that k more bytes follow.
    private static let tables: [[UInt32]] = {
        let first = (0..<256).map { value -> UInt32 in
            (0..<8).reduce(UInt32(value)) { crc, _ in
                crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78
            }
        }
        var tables = [first]
        for _ in 1..<8 {
            let last = tables[tables.count - 1]
            tables.append(last.map { first[Int($0 & 0xFF)] ^ $0 >> 8 })
        }
        return tables
    }()

    private var state: UInt32 = .max

    /// The checksum of everything appended so far.
    var value: UInt32 { ~state }

    /// Goes on with more bytes.
    mutating func append(_ bytes: [UInt8]) {
        let tables = Self.tables
        let span = bytes.span
        var crc = state
        var index = 0
        while index + 8 <= span.count {
            crc ^= UInt32(span[index]) | UInt32(span[index + 1]) << 8
            crc ^= UInt32(span[index + 2]) << 16 | UInt32(span[index + 3]) << 24
            let low = tables[7][Int(crc & 0xFF)] ^ tables[6][Int(crc >> 8 & 0xFF)]
            let middle = tables[5][Int(crc >> 16 & 0xFF)] ^ tables[4][Int(crc >> 24)]
            let high = tables[3][Int(span[index + 4])] ^ tables[2][Int(span[index + 5])]
            crc = low ^ middle ^ high
            crc ^= tables[1][Int(span[index + 6])] ^ tables[0][Int(span[index + 7])]
            index += 8
        }
        while index < span.count {
            crc = tables[0][Int((crc ^ UInt32(span[index])) & 0xFF)] ^ crc >> 8
            index += 1
        }
        state = crc
    }

    /// Goes on with an integer, least significant byte first.
    mutating func append(_ value: UInt64) {
        var crc = state
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            let byte = UInt32(truncatingIfNeeded: value >> shift) & 0xFF
            crc = Self.tables[0][Int((crc ^ byte) & 0xFF)] ^ crc >> 8
        }
        state = crc
    }

    /// The checksum of integers followed by bytes.
    static func of(_ integers: UInt64..., bytes: [UInt8]...) -> Int64 {
        var checksum = Checksum()
        for integer in integers { checksum.append(integer) }
        for part in bytes { checksum.append(part) }
        return Int64(checksum.value)
    }
}
