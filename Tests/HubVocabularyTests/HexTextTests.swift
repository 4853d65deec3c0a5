import HubVocabulary
import Testing

/// Holds the ways to read hex digits against one another.
@Suite("Hex digits")
struct HexTextTests {
    private static func decoded(_ text: [UInt8]) -> [UInt8]? { HexText.decode(text.span) }

    @Test("each byte is a digit for all readers or for none")
    func digits() {
        for byte in UInt8.min...UInt8.max {
            let digit = HexText.digit(byte)
            let value = HexText.value(byte)
            #expect(digit == (value < 16 ? value : nil), "\(byte)")
            let isHex = HexText.isHex([0x30, byte])
            #expect(isHex == (digit != nil), "\(byte)")
            for text in [[byte, 0x33], [0x33, byte]] {
                #expect((Self.decoded(text) != nil) == (digit != nil), "\(byte)")
            }
        }
    }

    @Test("what was written is read again, and an odd number of digits is none")
    func roundTrip() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = HexText.encode(bytes)
        #expect(Self.decoded(text) == bytes)
        #expect(Self.decoded(ASCII.lower(text)) == bytes)
        #expect(Self.decoded(text.dropLast()) == nil)
        #expect(Self.decoded([]) == [])
    }
}
