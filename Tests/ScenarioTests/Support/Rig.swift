import Foundation

/// What `make crash` asks of the rigs.
enum Rig {
    /// How often a hub is killed: `CYCLES`.
    static let cycles = number("CYCLES") ?? 10
    /// How often PostgreSQL fails over: `PROMOTE`.
    static let promotions = number("PROMOTE") ?? 3
    /// Decides what is decided by lot: `SEED`.
    static let seed: UInt64 = number("SEED") ?? 1

    /// Whether machines are to be parted, which takes root and some minutes: `PARTITIONS`.
    static let wantsPartitions = number("PARTITIONS") == 1

    /// Longer than so many cycles take.
    static func minutes(cycles: Int) -> Int { 5 + cycles / 5 }

    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        ProcessInfo.processInfo.environment[name].flatMap { Number($0) }
    }
}
