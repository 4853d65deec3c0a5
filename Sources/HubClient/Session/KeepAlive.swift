/// Learns how long this network keeps an idle connection open.
///
/// After three good rounds the interval grows by 60 s; after two failures it falls to the last
/// good value minus 30 s and stays there for seven days. Source: Protocol [K-4].
package struct KeepAlive: Equatable, Codable, Sendable {
    /// Good rounds before the interval grows.
    package static let roundsToGrow = 3
    /// Failed rounds before the interval falls.
    package static let failuresToFall = 2
    /// Seconds by which the interval grows.
    package static let growSeconds = 60
    /// Seconds by which the interval falls below the last good one.
    package static let fallSeconds = 30

    /// Milliseconds for which a learned interval is not tried to be exceeded.
    package static let restMilliseconds: UInt64 = 7 * 24 * 3_600 * 1_000

    /// Seconds until the next PING, promised in the one before it.
    package private(set) var intervalSeconds: Int
    /// Whether longer intervals are still tried.
    package private(set) var isProbing = true
    private var restsUntilMilliseconds: UInt64 = 0
    private var lastGoodSeconds: Int
    private var goodRounds = 0
    private var failedRounds = 0
    private let least: Int
    private var most: Int

    /// Starts at `start`, kept between `least` and `most`; all in seconds.
    package init(start: Int, least: Int, most: Int) {
        self.least = least
        self.most = max(least, most)
        intervalSeconds = min(max(start, least), self.most)
        lastGoodSeconds = intervalSeconds
    }

    /// A PONG came after a whole idle interval.
    package mutating func succeeded() {
        failedRounds = 0
        lastGoodSeconds = intervalSeconds
        guard isProbing else { return }
        goodRounds += 1
        guard goodRounds >= Self.roundsToGrow else { return }
        goodRounds = 0
        intervalSeconds = min(intervalSeconds + Self.growSeconds, most)
    }

    /// No PONG came after a whole idle interval, at a time in milliseconds since 1970.
    package mutating func failed(atMilliseconds now: UInt64) {
        goodRounds = 0
        failedRounds += 1
        guard failedRounds >= Self.failuresToFall else { return }
        failedRounds = 0
        isProbing = false
        restsUntilMilliseconds = now + Self.restMilliseconds
        intervalSeconds = max(least, min(intervalSeconds, lastGoodSeconds) - Self.fallSeconds)
        lastGoodSeconds = intervalSeconds
    }

    /// Longer intervals are tried again when seven days have passed.
    package mutating func wake(atMilliseconds now: UInt64) {
        if !isProbing, now >= restsUntilMilliseconds { isProbing = true }
    }

    /// The hub names an interval it would like; 0 says nothing.
    package mutating func hint(seconds: Int) {
        guard seconds > 0 else { return }
        most = max(least, min(most, seconds))
        intervalSeconds = min(intervalSeconds, most)
        lastGoodSeconds = min(lastGoodSeconds, most)
    }
}
