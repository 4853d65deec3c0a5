import Crypto

/// Random numbers that follow from a seed; without the hub's secret a client cannot guess them.
///
/// Block n is HMAC-SHA256(secret, "directory random" ‖ seed ‖ n), so the same seed gives the same
/// run, while external registration ids stay unguessable also for one who has seen many.
package struct KeyedRandom: RandomNumberGenerator {
    private let secret: HubSecret
    private let seed: UInt64
    private var counter: UInt64 = 0
    private var block: [UInt64] = []

    /// Starts a sequence; a hub draws its seed at random at each start.
    package init(secret: HubSecret, seed: UInt64) {
        self.secret = secret
        self.seed = seed
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        if let value = block.popLast() { return value }
        var text = Array("directory random".utf8)
        text.appendBigEndian(seed)
        text.appendBigEndian(counter)
        counter += 1
        let code = Array(secret.code(of: text))
        block = stride(from: 0, to: 24, by: 8).map { UInt64(bigEndian: code[$0...]) }
        return UInt64(bigEndian: code[24...])
    }
}
