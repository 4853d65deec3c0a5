import HubVocabulary

/// Randomness that a seed repeats exactly; a failing test prints its seed.
package struct SeededGenerator: RandomNumberGenerator {
    private var random: SeededRandom

    /// Starts the sequence of a seed.
    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// The next 64 bits.
    package mutating func next() -> UInt64 { random.next() }

    /// A number from 0 up to, but not including, `limit`.
    package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// Some bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(UInt8.random(in: 0...255, using: &self)) }
        return bytes
    }
}
