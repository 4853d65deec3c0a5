import HubTestSupport
import HubWire
import Testing

@Suite("Frames of unused types")
struct UnusedFrameTests {
    @Test("are passed over as a whole, by both sides and in both states after HELLO. [V-4]")
    func skipped() {
        var random = SeededGenerator(seed: 1)
        var types: Set<UInt8> = []
        for round in 0..<2_000 {
            var bytes: [UInt8] = []
            UnusedFrame.encode(random.next(), into: &bytes)
            types.insert(bytes[0])
            let count = bytes.count
            bytes += [1, 2, 3]
            let cases: [(Direction, DecodingState, WireLimits)] = [
                (.hubToDevice, .waitWelcome, .device), (.hubToDevice, .ready, .device),
                (.deviceToHub, .ready, .hub),
            ]
            for (direction, state, limits) in cases {
                let step = try? FrameDecoder.step(
                    bytes.span,
                    direction: direction,
                    state: state,
                    limits: limits
                )
                #expect(step == .skip(count), "round \(round): \(bytes)")
            }
        }
        #expect(types.count == 64)
        #expect(types.allSatisfy { FrameType(rawValue: $0) == nil })
    }

    @Test("have a counterpart among the capabilities: a bit that nobody knows")
    func capabilities() {
        for random in 0..<100 as Range<UInt64> {
            let bit = Capabilities.unused(random)
            #expect(bit.rawValue.nonzeroBitCount == 1)
            #expect(bit.isDisjoint(with: .known))
        }
    }
}
