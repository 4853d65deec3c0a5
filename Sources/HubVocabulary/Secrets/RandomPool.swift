import Crypto

/// Random numbers for names that must differ: of requests, sends and spans.
///
/// The system is asked for 32 bytes once. Each of its own generators asks it anew for every number,
/// a call of the kernel each. Block n of a filling is HMAC-SHA256(key, n). The first block is the
/// key of the next filling, so a number does not tell those before it.
package struct RandomPool: RandomNumberGenerator, Sendable {
    /// Numbers of one filling: fifteen blocks of four.
    package static let numbersKept = 60

    private var key: SymmetricKey
    private var numbers: [UInt64] = []

    /// A pool whose key comes from a generator, which is the system's outside of tests.
    package init(from source: inout some RandomNumberGenerator) {
        var bytes: [UInt8] = []
        for _ in 0..<4 { bytes.appendBigEndian(source.next() as UInt64) }
        key = SymmetricKey(data: bytes)
    }

    /// The same from a generator that is not used further.
    package init(drawnFrom source: some RandomNumberGenerator) {
        var source = source
        self.init(from: &source)
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        if let number = numbers.popLast() { return number }
        let blocks = (0...Self.numbersKept / 4).map { block in
            Array(HMAC<SHA256>.authenticationCode(for: [UInt8(block)], using: key))
        }
        for block in blocks.dropFirst() {
            for start in stride(from: 0, to: 32, by: 8) {
                numbers.append(UInt64(bigEndian: block[start..<start + 8]))
            }
        }
        key = SymmetricKey(data: blocks[0])
        return numbers.removeLast()
    }
}
