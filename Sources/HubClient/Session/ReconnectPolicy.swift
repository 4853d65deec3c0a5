import HubWire

/// When a device comes back after its connection ended, and whether it does at all.
///
/// Exponential backoff with full jitter; only a healthy session resets it.
/// Source: Protocol [C-4].
package struct ReconnectPolicy: Sendable {
    /// The next step after a connection ended.
    package enum Decision: Equatable, Sendable {
        /// Connect again after this time.
        case wait(Duration)
        /// Stay away until the app asks again.
        case stop
    }

    /// Longest wait for a link that was healthy and was lost: whole fleets come back spread out.
    package static let firstDelayMax: Duration = .seconds(5)
    /// Longest wait after a change of network.
    package static let networkChangeDelayMax: Duration = .seconds(2)

    /// Upper bound of the first delay of the backoff.
    private static let base: Duration = .seconds(2)
    /// No delay of the backoff is longer.
    private static let cap: Duration = .seconds(WireLimits.reconnectSecondsMax)
    /// How long a session must have lasted for the backoff to be forgotten.
    private static let healthy: Duration = .seconds(WireLimits.healthySeconds)

    private var random: JitterSource
    private var failures = 0
    private var usedImmediateRetry = false

    /// Starts without a failure; `seed` decides every delay to come.
    package init(seed: UInt64) { random = JitterSource(seed: seed) }

    /// Connections in a row that did not become healthy.
    package var consecutiveFailures: Int { failures }

    /// Decides what follows the end of a connection.
    ///
    /// - Parameters:
    ///   - departure: why it ended.
    ///   - uptime: how long the session was open, zero when it never opened.
    /// - Returns: how long to wait, or to stay away.
    package mutating func decide(after departure: Departure, uptime: Duration) -> Decision {
        let wasHealthy = uptime >= Self.healthy
        if wasHealthy {
            failures = 0
            usedImmediateRetry = false
        }
        switch departure.advice {
        case .stay: return .stop
        case .atOnce:
            guard !usedImmediateRetry else { return .wait(backoff()) }
            usedImmediateRetry = true
            return .wait(.zero)
        case .soon: return .wait(random.duration(upTo: Self.networkChangeDelayMax))
        case .spread(let least, let spread): return .wait(least + random.duration(upTo: spread))
        case .backoff(let least):
            guard wasHealthy, least == .zero else { return .wait(least + backoff()) }
            failures = 1
            return .wait(random.duration(upTo: Self.firstDelayMax))
        }
    }

    /// The upper bound of the backoff delay after `count` failures in a row.
    package func bound(afterFailures count: Int) -> Duration {
        var bound = Self.base
        for _ in 0..<min(count, 32) where bound < Self.cap { bound = bound * 2 }
        return min(bound, Self.cap)
    }

    private mutating func backoff() -> Duration {
        defer { failures += 1 }
        return random.duration(upTo: bound(afterFailures: failures))
    }
}
