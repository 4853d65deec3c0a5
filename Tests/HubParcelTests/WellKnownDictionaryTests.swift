import Foundation
import HubParcel
import HubTestSupport
import Testing

@Suite("Well-known dictionary 1")
struct WellKnownDictionaryTests {
    @Test("is the content of Protocol/dictionary-1.bin, which never changes")
    func isFrozen() {
        #expect(WellKnownDictionary.bytes == Array(Vectors.text("Protocol/dictionary-1.bin").utf8))
        #expect(WellKnownDictionary.identifier == 0x719e_a6b6_1238_3c4b)
        #expect(SHA256.prefix(of: WellKnownDictionary.bytes) == WellKnownDictionary.identifier)
        #expect(SHA256.prefix(of: Array("abc".utf8)) == 0xba78_16bf_8f01_cfea)
    }

    @Test(
        "shrinks breaking news to at most 85 percent",
        arguments: [
            "World News : Ceasefire talks resume in Geneva as observers arrive at the border",
            "Politics News : Parliament passes the climate budget by four votes at dawn",
            "Sports News : Underdogs knock the champions out on penalties in front of 61,000",
        ]
    )
    func shrinks(text: String) throws {
        var deflater = ParcelDeflater()
        let payload = Array("{\"aps\":{\"alert\":\"Breaking \(text)\"}}".utf8)
        let id = ParcelID(hi: 0, lo: 0)
        let parcel = ParcelDescription(id: id, ttlSeconds: 0, platform: 0, payload: payload)
        let bare = try deflater.encode(parcel, codec: .identity).count - payload.count
        let coded = try deflater.encode(parcel, codec: .wellKnownDictionary).count - bare
        #expect(coded * 100 <= payload.count * 85, "\(coded) of \(payload.count) bytes")
    }
}

/// SHA-256 of short inputs, only to pin the dictionary.
private enum SHA256 {
    /// The first eight bytes of the digest, big-endian.
    static func prefix(of message: [UInt8]) -> UInt64 {
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let bits = UInt64(message.count * 8)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        let primes = (2...311).filter { candidate in
            (2..<candidate).allSatisfy { candidate % $0 != 0 }
        }
        let constants = primes.map { fraction(pow(Double($0), 1 / 3)) }
        var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
        for block in stride(from: 0, to: bytes.count, by: 64) {
            mix(bytes[block..<block + 64], into: &state, constants: constants)
        }
        return UInt64(state[0]) << 32 | UInt64(state[1])
    }

    private static func fraction(_ value: Double) -> UInt32 {
        UInt32((value - value.rounded(.down)) * 4_294_967_296)
    }

    private static func mix(
        _ block: ArraySlice<UInt8>,
        into state: inout [UInt32],
        constants: [UInt32]
    ) {
        var words: [UInt32] = stride(from: block.startIndex, to: block.endIndex, by: 4).map { at in
            block[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let early = words[index - 15]
            let late = words[index - 2]
            let small = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
            let large = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
        }
        var v = state
        for index in 0..<64 {
            let high = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
            let choice = v[4] & v[5] ^ ~v[4] & v[6]
            let first = v[7] &+ high &+ choice &+ constants[index] &+ words[index]
            let low = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
            let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
            v = [first &+ low &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] &+= v[index] }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }
}
