package import HubVocabulary

/// A wall clock that is believed only when it goes on as it went.
///
/// A leap forward, or a wrong time at start, would let everything expire at once, and what was
/// removed does not come back. So a time from which the clock has leapt away is gone on with until
/// the new one has held for a while.
package struct TrustedClock {
    private let doubtMilliseconds: UInt64
    /// The last reading that was believed; nil until the first is.
    private var believed: Now?
    /// Since when a clock that leapt has been doubted.
    private var doubted: Now?

    /// A clock that leaps by less is believed.
    private static let leapMilliseconds: UInt64 = 60_000

    /// Believes a time that others left behind after so many milliseconds.
    package init(doubtMilliseconds: UInt64) { self.doubtMilliseconds = doubtMilliseconds }

    /// The time as far as it is believed; nil while nothing is known.
    package mutating func time(_ now: Now) -> Timestamp? {
        if let believed, now.time <= now.expected(after: believed, Self.leapMilliseconds) {
            self.believed = now
            doubted = nil
            return now.time
        }
        // A second leap is doubted anew.
        if let since = doubted, now.time <= now.expected(after: since, Self.leapMilliseconds) {
            if now.instant.milliseconds(since: since.instant) >= doubtMilliseconds {
                believed = now
                doubted = nil
                return now.time
            }
        } else {
            doubted = now
            if doubtMilliseconds == 0 { return time(now) }
        }
        return believed.map { now.expected(after: $0, 0) }
    }
}

extension Now {
    /// The time that it would be if the wall clock had gone on as the other one, and some more.
    fileprivate func expected(after earlier: Now, _ more: UInt64) -> Timestamp {
        let passed = instant.milliseconds(since: earlier.instant)
        return Timestamp(milliseconds: earlier.time.milliseconds &+ passed &+ more)
    }
}
