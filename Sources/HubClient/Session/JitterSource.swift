/// Random numbers from a seed (SplitMix64): the same seed gives the same delays again.
///
/// Spreads reconnects and names process starts; never makes a secret.
package struct JitterSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence that belongs to `seed`.
    package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A duration between zero and `limit`, both included; whole milliseconds.
    package mutating func duration(upTo limit: Duration) -> Duration {
        .milliseconds(Int64(clamping: UInt64.random(in: 0...limit.wholeMilliseconds, using: &self)))
    }
}
