/// The core's only source of randomness: a SplitMix64 stream started from a given seed.
///
/// Ids need not be secret; what must be unguessable is derived with the hub's secret, or takes
/// its bits from a seed that the edge drew from the system's generator.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the stream.
    package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
