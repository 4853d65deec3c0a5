/// A fixed code of deflate as it goes into the stream, its extra bits behind it.
///
/// Source: RFC 1951 §3.2.5, §3.2.6.
struct FixedCode: Sendable {
    /// The first bit of the stream is the lowest.
    let bits: UInt32
    let count: UInt32

    /// The header of a last block that has fixed codes.
    static let lastBlock = FixedCode(bits: 0b011, count: 3)
    /// The end of a block, and zeroes that fill its last byte.
    static let end = FixedCode(bits: 0, count: 14)

    private init(bits: UInt32, count: UInt32) {
        self.bits = bits
        self.count = count
    }

    /// The code of a byte.
    init(literal byte: Int) { self.init(symbol: byte) }

    /// The code of a match of 3 to 258 bytes.
    init(length: Int) {
        let above = length - 3
        switch length {
        case 258: self.init(symbol: 285)
        case ..<11: self.init(symbol: 257 + above)
        default:
            let width = above.bitWidth - above.leadingZeroBitCount - 3
            let symbol = 261 + width * 4 + (above >> width & 3)
            self.init(symbol: symbol, extra: above & (1 << width - 1), width)
        }
    }

    /// The code of a distance of 1 to 32,768 bytes.
    init(distance: Int) {
        let above = distance - 1
        guard distance > 4 else {
            self.init(code: above, 5)
            return
        }
        let width = above.bitWidth - above.leadingZeroBitCount - 2
        let code = 2 + width * 2 + (above >> width & 1)
        self.init(code: code, 5, extra: above & (1 << width - 1), width)
    }

    private init(symbol: Int, extra: Int = 0, _ width: Int = 0) {
        switch symbol {
        case ..<144: self.init(code: 0x30 + symbol, 8)
        case ..<256: self.init(code: 0x190 + symbol - 144, 9)
        case ..<280: self.init(code: symbol - 256, 7, extra: extra, width)
        default: self.init(code: 0xC0 + symbol - 280, 8, extra: extra, width)
        }
    }

    /// A code goes highest bit first, the number behind it lowest bit first.
    private init(code: Int, _ codeWidth: Int, extra: Int = 0, _ width: Int = 0) {
        var bits = UInt32(extra) << UInt32(codeWidth)
        for place in 0..<codeWidth where code >> place & 1 == 1 {
            bits |= 1 << UInt32(codeWidth - 1 - place)
        }
        self.init(bits: bits, count: UInt32(codeWidth + width))
    }
}
