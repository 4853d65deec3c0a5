import HubParcel
import HubTestSupport
import Testing

@Suite("Parcel decoding")
struct ParcelDecodingTests {
    @Test("agrees with the shared vectors", arguments: ParcelVectors.all)
    func agrees(_ vector: ParcelVector) throws {
        var thrown: ParcelError?
        var found: DecodedParcel?
        do throws(ParcelError) {
            found = try DecodedParcel(vector.bytes, maxPayload: vector.limits.max_payload)
        } catch {
            thrown = error
        }
        #expect(thrown?.rawValue == vector.entry_error)
        #expect(found == vector.expect.map(DecodedParcel.init))
    }

    @Test("has a vector for every entry error")
    func covers() {
        let named = Set(ParcelVectors.all.compactMap(\.entry_error))
        #expect(named == Set(ParcelError.allCases.map(\.rawValue)))
    }

    @Test("refuses every strict prefix of a valid parcel", arguments: ParcelVectors.valid)
    func refusesPrefixes(_ vector: ParcelVector) {
        let bytes = vector.bytes
        for length in 0..<bytes.count where length < 300 || length > bytes.count - 20 {
            let cut = Array(bytes.prefix(length))
            var accepted = true
            do throws(ParcelError) { _ = try DecodedParcel(cut) } catch { accepted = false }
            #expect(!accepted, "prefix of \(length) bytes")
        }
    }

    @Test("never traps and never exceeds the limit, whatever the bytes", arguments: 0..<16)
    func survives(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            var bytes = ParcelVectors.all[random.below(ParcelVectors.all.count)].bytes
            for _ in 0...random.below(6) where !bytes.isEmpty {
                bytes[random.below(min(bytes.count, 128))] = UInt8(random.below(256))
            }
            guard let parcel = try? DecodedParcel(bytes, maxPayload: 4_096) else { continue }
            #expect(parcel.payload.count <= 4_096, "seed \(seed): \(HexText.text(bytes))")
        }
    }

    @Test("reads the id of an undecodable parcel, but not of a shorter one")
    func readsFrozenFields() {
        var bytes = [UInt8](repeating: 0, count: 24)
        bytes[0] = 9
        bytes[8] = 0x12
        bytes[23] = 0x34
        let id = ParcelID(ofParcel: bytes.span)
        #expect(id == ParcelID(hi: 0x1200_0000_0000_0000, lo: 0x34))
        bytes.removeLast()
        let none = ParcelID(ofParcel: bytes.span)
        #expect(none == nil)
    }

    @Test("counts the time to live from the id's timestamp")
    func expires() throws {
        let vector = try #require(ParcelVectors.valid.first { $0.name == "ttl-28-days" })
        let bytes = vector.bytes
        let view = try ParcelView(decoding: bytes.span)
        let expires = view.expiresAtMilliseconds
        #expect(expires == 0x0192_f3a1_b2c3 + 2_419_200_000)
    }
}
