import HubFuzzTargets
import HubTestSupport
import HubWire
import Testing

/// What a decoder makes of bytes, in a form that can be compared.
enum Finding: Equatable {
    case needMore(Int)
    case fields(JSONValue, bytes: Int)
    case refused(WireError)
}

/// Steps over the front of the bytes and decodes the frame there.
func find(
    _ bytes: [UInt8],
    _ direction: Direction,
    _ state: DecodingState,
    _ limits: WireLimits
) -> Finding {
    do throws(WireError) {
        let step = try FrameDecoder.step(
            bytes.span,
            direction: direction,
            state: state,
            limits: limits
        )
        switch step {
        case .needMore(let count): return .needMore(count)
        case .skip(let count):
            let fields: [String: JSONValue] = ["type": .string("SKIP"), "bytes": .number(count)]
            return .fields(.object(fields), bytes: count)
        case .frame(let header):
            var fields = try FrameSummary.fields(header, header.body(of: bytes.span))
            fields["type"] = .string(header.type.name)
            fields["ref"] = .number(Int(header.ref))
            return .fields(.object(fields), bytes: header.totalBytes)
        }
    } catch {
        return .refused(error)
    }
}

func find(_ vector: Vector, _ bytes: [UInt8]) -> Finding {
    find(bytes, vector.direction, vector.decodingState, vector.limits)
}

@Suite("Vectors of Protocol")
struct VectorTests {
    static let good = Vectors.all.filter { $0.expect != nil }
    static let malformed = Vectors.all.filter { $0.error != nil }

    /// The expectation, with parcels in plain hex.
    static func expectation(_ vector: Vector) -> JSONValue? {
        guard case .object(var fields)? = vector.expect else { return nil }
        if case .array(let entries)? = fields["entries"] {
            fields["entries"] = .array(
                entries.map { entry in
                    guard case .object(var parts) = entry, let hex = parts["parcel"]?.text else {
                        return entry
                    }
                    parts["parcel"] = .string(HexText.text(HexText.bytes(hex)))
                    return .object(parts)
                }
            )
        }
        return .object(fields)
    }

    @Test("a decoder agrees with every vector", arguments: Vectors.all)
    func agrees(_ vector: Vector) {
        let finding = find(vector, vector.bytes)
        switch finding {
        case .needMore(let count): #expect(vector.needMore == count)
        case .fields(let fields, let count):
            #expect(Self.expectation(vector) == fields)
            #expect(count == vector.bytes.count)
        case .refused(let error):
            #expect(vector.error == error.number.name)
            if let limit = vector.limit { #expect(limit == Int(error.limit)) }
            #expect(error.aboutType == vector.bytes[0])
        }
    }

    @Test("encoding what was decoded gives the same bytes", arguments: good)
    func encodesAgain(_ vector: Vector) throws {
        guard vector.canonical else { return }
        let bytes = vector.bytes
        let header = try header(vector, bytes)
        let again = try FrameCopy.bytes(header, header.body(of: bytes.span))
        #expect(HexText.text(again) == HexText.text(bytes))
    }

    @Test("every strict prefix of a good frame needs more", arguments: good)
    func prefixes(_ vector: Vector) {
        let bytes = vector.bytes
        // A large frame is cut around its header and its end, and at some places between.
        let cuts = (0..<bytes.count).filter { $0 < 600 || $0 > bytes.count - 40 || $0 % 997 == 0 }
        for count in cuts {
            let finding = find(vector, Array(bytes[..<count]))
            let wanted = count < WireLimits.frameHeaderBytes ? 8 : bytes.count
            #expect(finding == .needMore(wanted), "\(vector) cut to \(count)")
        }
    }

    @Test("bytes that follow change neither fields nor errors", arguments: good + malformed)
    func appended(_ vector: Vector) {
        let bytes = vector.bytes
        let alone = find(vector, bytes)
        for tail in [[0], [255, 255, 255], Array(repeating: 1, count: 40)] as [[UInt8]] {
            #expect(find(vector, bytes + tail) == alone, "\(vector) with \(tail.count) bytes more")
        }
    }

    @Test("resume scenarios and proofs are readable")
    func others() {
        #expect(Vectors.resume.count >= 40)
        #expect(Set(Vectors.resume.map(\.expect.resume)).count == ResumeOutcome.allCases.count)
        #expect(Vectors.resume.contains { $0.hub.scannedThrough != nil })
        #expect(HexText.bytes(Vectors.auth.deviceKey).count == WireLimits.deviceKeyBytes)
    }

    @Test("every type, and every error of the decoder, has vectors")
    func covers() {
        #expect(Vectors.all.count >= 150)
        #expect(Self.malformed.count >= 80)
        #expect(Set(Vectors.all.map(\.name)).count == Vectors.all.count)
        let types = Set(Self.good.compactMap { $0.expect?["type"]?.text })
        for type in FrameType.allCases { #expect(types.contains(type.name)) }
        let errors = Set(Self.malformed.compactMap(\.error))
        let ofDecoder = ErrorNumber.allCases.filter { $0.rawValue <= 0x010C }
        #expect(errors == Set(ofDecoder.map(\.name)))
    }

    private func header(_ vector: Vector, _ bytes: [UInt8]) throws -> FrameHeader {
        let step = try FrameDecoder.step(
            bytes.span,
            direction: vector.direction,
            state: vector.decodingState,
            limits: vector.limits
        )
        guard case .frame(let header) = step else {
            throw WireError(.badLength, aboutType: bytes[0])
        }
        return header
    }
}
