package import HubVocabulary

extension SeededRandom {
    /// A duration between zero and `limit`, both included; whole milliseconds.
    package mutating func duration(upTo limit: Duration) -> Duration {
        .milliseconds(Int64(clamping: UInt64.random(in: 0...limit.wholeMilliseconds, using: &self)))
    }
}
