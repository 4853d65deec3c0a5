import HubParcel
import HubTestSupport
import Testing

@Suite("Parcel encoding")
struct ParcelEncodingTests {
    private static let id = ParcelID(hi: 0x0192_f3a1_b2c3_7d4e, lo: 0x9f00_1122_3344_5566)

    private func description(_ payload: [UInt8]) -> ParcelDescription {
        ParcelDescription(id: Self.id, ttlSeconds: 60, platform: 0, payload: payload)
    }

    private func encode(
        _ description: ParcelDescription,
        _ codec: ParcelCodec = .wellKnownDictionary
    ) throws(ParcelEncodingError) -> [UInt8] {
        var deflater = ParcelDeflater()
        return try deflater.encode(description, codec: codec)
    }

    @Test("yields the bytes of canonical vectors", arguments: ParcelVectors.canonical)
    func isCanonical(_ vector: ParcelVector) throws {
        let fields = try #require(vector.expect.map(DecodedParcel.init))
        let flags = ParcelFlags(rawValue: fields.flags)
        let description = ParcelDescription(
            id: fields.id,
            ttlSeconds: fields.ttl,
            urgency: try #require(ParcelUrgency(rawValue: fields.urgency)),
            contentType: try #require(ParcelContentType(rawValue: fields.contentType)),
            collapseKey: fields.collapseKey,
            platform: try #require(fields.platform),
            isTemplate: flags.contains(.isTemplate),
            headers: fields.headers,
            wantsStoredReceipt: flags.contains(.wantsStoredReceipt),
            wantsUserReceipt: flags.contains(.wantsUserReceipt),
            isSilent: flags.contains(.isSilent),
            payload: fields.payload
        )
        #expect(HexText.text(try encode(description, .identity)) == vector.hex)
    }

    @Test("is undone by decoding, for any description and codec", arguments: 0..<8)
    func roundTrips(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var deflater = ParcelDeflater()
        for _ in 0..<100 {
            var parcel = description(randomPayload(&random))
            parcel.ttlSeconds = UInt32(random.below(2_419_201))
            parcel.collapseKey = (0..<random.below(65)).map { _ in UInt8(random.below(256)) }
            parcel.platform = UInt8(random.below(9))
            parcel.isTemplate = random.below(2) == 0
            parcel.isSilent = random.below(2) == 0
            parcel.headers = (0..<random.below(5)).map {
                ParcelHeader(name: Array("name-\($0)".utf8), value: Array("ü\(random.next())".utf8))
            }
            let codec = ParcelCodec.allCases[random.below(3)]
            let bytes = try deflater.encode(parcel, codec: codec)
            let found = try DecodedParcel(bytes)
            #expect(found.payload == parcel.payload, "seed \(seed)")
            #expect(found.headers == parcel.headers)
            #expect(found.collapseKey == parcel.collapseKey)
            #expect(found.platform == parcel.platform)
            #expect(found.codec == codec.rawValue || found.codec == 0)
        }
    }

    private func randomPayload(_ random: inout SeededGenerator) -> [UInt8] {
        let words = ["{\"aps\":{\"alert\":\"", "News", " the ", "é", "\"}}", "xq", "0"]
        var payload: [UInt8] = []
        for _ in 0..<random.below(60) {
            payload.append(contentsOf: words[random.below(words.count)].utf8)
            if random.below(4) == 0 { payload.append(UInt8(random.below(256))) }
        }
        return payload
    }

    @Test("finds each match of a short text, at every length and distance", arguments: 0..<4)
    func repeats(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var deflater = ParcelDeflater()
        for length in 0...600 {
            var payload: [UInt8] = []
            while payload.count < length {
                let source = random.below(2) == 0 ? payload : WellKnownDictionary.bytes
                let from = random.below(source.count + 1)
                let byte = UInt8(truncatingIfNeeded: random.next() >> UInt64(random.below(64)))
                payload += source[from...].prefix(1 + random.below(300)) + [byte]
            }
            payload.removeLast(payload.count - length)
            let bytes = try deflater.encode(description(payload), codec: .wellKnownDictionary)
            #expect(try DecodedParcel(bytes).payload == payload, "seed \(seed), \(length) bytes")
        }
    }

    @Test("gives short texts of few different bytes codes of their own")
    func hasOwnCodes() throws {
        var random = SeededGenerator(seed: 5)
        let digits = (0..<400).map { _ in UInt8(ascii: "0") + UInt8(random.below(10)) }
        let bytes = try encode(description(digits))
        #expect(bytes.count < 32 + 240)
        #expect(try DecodedParcel(bytes).payload == digits)
    }

    @Test("falls back to identity when deflate does not make the payload smaller")
    func fallsBack() throws {
        var random = SeededGenerator(seed: 7)
        for length in [0, 1, 2, 3, 64, 8_192] {
            let noise = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            for codec in ParcelCodec.allCases {
                let bytes = try encode(description(noise), codec)
                #expect(bytes[2] == 0, "\(length) bytes with \(codec)")
                #expect(try DecodedParcel(bytes).payload == noise)
            }
        }
    }

    @Test("leaves the payload readable when the sender asks for identity")
    func keepsIdentity() throws {
        let payload = Array("{\"aps\":{\"alert\":\"the code is 123456\"}}".utf8)
        let bytes = try encode(description(payload), .identity)
        #expect(Array(bytes.suffix(payload.count)) == payload)
    }

    @Test("gives the same bytes for the same description, whatever came before")
    func isRepeatable() throws {
        var deflater = ParcelDeflater()
        let news = description(Array("{\"aps\":{\"alert\":\"Breaking World News : rain\"}}".utf8))
        let first = try deflater.encode(news, codec: .wellKnownDictionary)
        _ = try deflater.encode(description(Array(repeating: 7, count: 4_000)), codec: .deflate)
        #expect(try deflater.encode(news, codec: .wellKnownDictionary) == first)
    }

    @Test("takes every limit and refuses one more")
    func limits() throws {
        var parcel = description(Array(repeating: 0x61, count: 8_192))
        parcel.collapseKey = Array(repeating: 0x6B, count: 64)
        parcel.ttlSeconds = 2_419_200
        parcel.platform = 8
        parcel.headers = [header(255, 255)]
        #expect(parcel.fault == nil)
        _ = try encode(parcel)
        parcel.payload.append(0)
        #expect(parcel.fault == .payloadTooLarge(bytes: 8_193))
        parcel.payload = []
        parcel.collapseKey.append(0)
        #expect(parcel.fault == .collapseKeyTooLong(bytes: 65))
        parcel.collapseKey = []
        parcel.ttlSeconds += 1
        #expect(parcel.fault == .ttlTooLong(seconds: 2_419_201))
        parcel.ttlSeconds = 1
        parcel.platform = 9
        #expect(parcel.fault == .unknownPlatform(9))
        parcel.platform = 0
        for (name, value) in [(256, 1), (1, 256), (0, 1)] {
            parcel.headers = [header(1, 0), header(name, value)]
            #expect(parcel.fault == .headerInvalid(index: 1))
        }
        #expect(throws: ParcelEncodingError.headerInvalid(index: 1)) { try encode(parcel) }
    }

    @Test("takes 4,096 bytes of options and refuses one more")
    func optionsLimit() throws {
        var parcel = description([])
        parcel.headers = Array(repeating: header(8, 246), count: 15) + [header(8, 239)]
        #expect(parcel.optionsByteCount == 4_096)
        #expect(try DecodedParcel(encode(parcel)).headers == parcel.headers)
        parcel.headers[15] = header(9, 239)
        #expect(parcel.fault == .optionsTooLarge(bytes: 4_097))
    }

    @Test("refuses header text that a device would refuse", arguments: ["a\r\nb", "\0", "\u{7F}"])
    func refusesControls(text: String) {
        var parcel = description([])
        parcel.headers = [ParcelHeader(name: [0x6E], value: Array(text.utf8))]
        #expect(parcel.fault == .headerInvalid(index: 0))
        parcel.headers = [ParcelHeader(name: [0x6E], value: [0xC3, 0x28])]
        #expect(parcel.fault == .headerInvalid(index: 0))
    }

    private func header(_ name: Int, _ value: Int) -> ParcelHeader {
        ParcelHeader(
            name: Array(repeating: 0x6E, count: name),
            value: Array(repeating: 0x76, count: value)
        )
    }
}
