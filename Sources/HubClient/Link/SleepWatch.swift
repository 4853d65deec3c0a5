import HubWire

/// Notices that the machine has slept, by how long it has been suspended since it started.
///
/// Short sleeps add up: a PING for each would be too fast for the hub. Source: Protocol [K-4].
struct SleepWatch {
    /// Nanoseconds of sleep after which the link is asked whether it still lives.
    static let leastNanoseconds = UInt64(WireLimits.pingSecondsMin) * 1_000_000_000

    private var known: UInt64?

    /// Whether enough was slept since the last time that it was; all in nanoseconds.
    mutating func hasSlept(_ suspended: UInt64) -> Bool {
        guard let before = known else {
            known = suspended
            return false
        }
        guard suspended > before, suspended - before >= Self.leastNanoseconds else { return false }
        known = suspended
        return true
    }
}
