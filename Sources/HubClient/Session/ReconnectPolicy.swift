import HubVocabulary
package import HubWire

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

    /// Longest wait after a change of network.
    package static let networkChangeDelayMax: Duration = .seconds(2)

    /// Upper bound of the first delay of the backoff.
    private static let base: Duration = .seconds(2)
    /// How long a session must have lasted for the backoff to be forgotten.
    private static let healthy: Duration = .seconds(WireLimits.healthySeconds)

    private var random: SeededRandom
    private var failures = 0
    private var usedImmediateRetry = false

    /// Starts without a failure; `seed` decides every delay to come.
    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Connections in a row that did not become healthy.
    package var consecutiveFailures: Int { failures }

    /// Decides what follows the end of a connection.
    ///
    /// - Parameters:
    ///   - departure: why it ended.
    ///   - uptime: how long the session was open, zero when it never opened.
    ///   - pace: what the last WELCOME said.
    /// - Returns: how long to wait, or to stay away.
    package mutating func decide(
        after departure: Departure,
        uptime: Duration,
        pace: ReturnPace = .untold
    ) -> Decision {
        let wasHealthy = uptime >= Self.healthy
        if wasHealthy {
            failures = 0
            usedImmediateRetry = false
        }
        switch departure.advice {
        case .stay: return .stop
        case .atOnce:
            guard !usedImmediateRetry else { return .wait(backoff(pace)) }
            usedImmediateRetry = true
            return .wait(.zero)
        case .soon: return .wait(random.duration(upTo: Self.networkChangeDelayMax))
        case .spread(let least, let spread): return .wait(least + random.duration(upTo: spread))
        case .backoff(let least):
            guard wasHealthy, least == .zero else { return .wait(least + backoff(pace)) }
            failures = 1
            return .wait(random.duration(upTo: .milliseconds(pace.spread)))
        }
    }

    /// The upper bound of the backoff delay after `count` failures in a row.
    package func bound(afterFailures count: Int, _ pace: ReturnPace = .untold) -> Duration {
        let longest: Duration = .milliseconds(pace.longest)
        var bound = Self.base
        for _ in 0..<min(count, 32) where bound < longest { bound = bound * 2 }
        return min(max(bound, .milliseconds(pace.spread)), longest)
    }

    private mutating func backoff(_ pace: ReturnPace) -> Duration {
        defer { failures += 1 }
        return random.duration(upTo: bound(afterFailures: failures, pace))
    }
}
