import Foundation

/// What `make crash`, `make nodes` and `make kills` ask of the rigs.
enum Rig {
    /// How often a hub is killed: `CYCLES`.
    static let cycles = number("CYCLES") ?? 10
    /// How often PostgreSQL fails over: `PROMOTE`.
    static let promotions = number("PROMOTE") ?? 3
    /// How often a node is killed, whatever it does: `KILLS`.
    static let kills = number("KILLS") ?? 3
    /// Seconds between two of them: `PAUSE`.
    static let pauseSeconds = number("PAUSE") ?? 3
    /// Seconds for which a node leads without renewing: `LEASE`.
    ///
    /// By itself longer than a busy machine lets a process wait.
    static let leaseSeconds = number("LEASE") ?? 8
    /// Decides what is decided by lot: `SEED`.
    static let seed: UInt64 = number("SEED") ?? 1

    /// Whether more was asked for than `make test` does.
    static let isCampaign = ["CYCLES", "PROMOTE", "KILLS"].contains { (number($0) as Int?) != nil }

    /// Whether machines are to be parted, which takes root and some minutes: `PARTITIONS`.
    static let wantsPartitions = number("PARTITIONS") == 1

    /// Longer than so many cycles take.
    static func minutes(cycles: Int) -> Int { 5 + cycles / 5 }

    /// Longer than nodes are killed by the clock.
    static let minutesOfKills = kills * (pauseSeconds + 5) / 30

    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        ProcessInfo.processInfo.environment[name].flatMap { Number($0) }
    }
}
