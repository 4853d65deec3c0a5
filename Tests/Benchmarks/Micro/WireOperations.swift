import Benchmark
import HubWire

/// What a hub decodes most often, and its longest ordinary request.
func wireOperations() -> [Operation] {
    [
        Operation("decode ACK") {
            var bytes: [UInt8] = []
            AckFrame(seq: 123_456_789).encode(into: &bytes)
            return { count in
                var sum: UInt64 = 0
                for _ in 0..<count { sum &+= sound { try decodeAck(bytes.span) } }
                blackHole(sum)
            }
        },
        Operation("decode REGISTER with ten tags") {
            var bytes: [UInt8] = []
            let tags = (0..<10).map { number in Array("topic:\(number * 7_919)".utf8) }
            let message = RegisterMessage(slot: 1, platform: 1, tags: tags)
            sound { () throws(WireError) in try message.encode(into: &bytes, ref: 1) }
            return { count in
                var sum = 0
                for _ in 0..<count { sum &+= sound { try decodeRegister(bytes.span) } }
                blackHole(sum)
            }
        },
    ]
}

private func header(_ bytes: Span<UInt8>) throws(WireError) -> FrameHeader {
    let step = try FrameDecoder.step(
        bytes,
        direction: .deviceToHub,
        state: .ready,
        limits: .hub
    )
    guard case .frame(let header) = step else { fatalError("not a whole frame") }
    return header
}

private func decodeAck(_ bytes: Span<UInt8>) throws(WireError) -> UInt64 {
    let header = try header(bytes)
    return try AckFrame(decoding: header.body(of: bytes), header: header).seq
}

/// The bytes of all tags together.
private func decodeRegister(_ bytes: Span<UInt8>) throws(WireError) -> Int {
    let header = try header(bytes)
    let frame = try RegisterFrame(decoding: header.body(of: bytes), header: header)
    var sum = 0
    var iterator = frame.tags.makeIterator()
    while let range = iterator.next() { sum &+= range.count }
    return sum
}
