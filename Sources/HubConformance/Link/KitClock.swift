import Foundation

/// The clocks of the kit.
enum KitClock {
    /// Milliseconds since the machine started.
    static var milliseconds: Int { Int(ProcessInfo.processInfo.systemUptime * 1_000) }

    /// Milliseconds since 1970.
    static var wallMilliseconds: Int { Int(Date().timeIntervalSince1970 * 1_000) }
}
