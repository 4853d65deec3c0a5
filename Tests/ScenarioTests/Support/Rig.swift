import Foundation

/// What `make crash` asks of the rigs.
enum Rig {
    /// How often a hub is killed: `CYCLES`.
    static let cycles = number("CYCLES") ?? 10
    /// Decides what is decided by lot: `SEED`.
    static let seed = number("SEED").map(UInt64.init) ?? .random(in: 0 ... .max)

    /// Longer than so many cycles take.
    static func minutes(cycles: Int) -> Int { 5 + cycles / 5 }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
