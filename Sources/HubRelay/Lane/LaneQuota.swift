import HubVocabulary

/// How many requests a service takes in a minute, as far as its refusals have shown.
///
/// A service with a quota refuses all that comes behind it until the minute is over. So a lane that
/// was refused makes what was taken in the minute before, less a twentieth, evenly from then on.
struct LaneQuota {
    /// Seconds that are looked at, and requests that must have been taken in them: fewer say nothing
    /// of a quota.
    private static let window = (seconds: UInt64(60), takenLeast: 600)
    /// The oldest seconds of the window: what was taken in them shows that all of it was seen.
    private static let oldest: UInt64 = 10
    /// The least rest of a service whose quota of a minute is used up early.
    private static let restLeast: UInt64 = 30
    /// The share of what was taken that is asked for again, of a hundred.
    private static let share = 95
    /// Minutes for which a quota holds; then it doubles with each of as many, and is forgotten.
    private static let minutes: UInt64 = 10
    /// Room is counted in parts: a quota of one a minute gives one part in a millisecond.
    private static let partsOfRequest: UInt64 = 60_000
    /// A lane without room looks again after so long.
    private static let pauseMilliseconds: UInt64 = 100

    /// Requests that were taken, by the second.
    private var taken = [Int](repeating: 0, count: Int(window.seconds))
    private var second: UInt64 = 0
    private var learned: (perMinute: UInt64, since: Instant)?
    /// The room for requests, and the time up to which it was counted.
    private var room = (parts: UInt64(0), counted: Instant(nanoseconds: 0))

    /// When a lane without room has some again; nil while it has, and without a quota.
    var deadline: Instant? {
        learned == nil || room.parts >= Self.partsOfRequest
            ? nil : room.counted.adding(milliseconds: Self.pauseMilliseconds)
    }

    /// The service took a request.
    mutating func took(now: Instant) {
        pass(to: now)
        taken[Int(second % Self.window.seconds)] += 1
    }

    /// The service takes no more for now, and wants so many seconds of rest.
    ///
    /// A lane that has just begun has not seen what a minute takes: what it had until then is a quota
    /// only where the service wants rest for the better part of a minute.
    mutating func refused(retryAfter seconds: UInt64?, now: Instant) {
        pass(to: now)
        let sum = taken.reduce(0, +)
        let isWhole = (1...Self.oldest).contains { age in
            taken[Int((second + age) % Self.window.seconds)] > 0
        }
        guard sum >= Self.window.takenLeast, isWhole || seconds ?? 0 >= Self.restLeast else {
            return
        }
        learned = (UInt64(sum * Self.share / 100), now)
        room = (0, now)
    }

    /// Whether another request may be made.
    mutating func hasRoom(now: Instant) -> Bool {
        guard let perMinute = perMinute(now: now) else { return true }
        let most = max(perMinute * 1_000, Self.partsOfRequest)
        let passed = min(now.milliseconds(since: room.counted), 1_000)
        room.parts = min(room.parts + passed * perMinute, most)
        room.counted = passed < 1_000 ? room.counted.adding(milliseconds: passed) : now
        return room.parts >= Self.partsOfRequest
    }

    /// A request is made.
    mutating func made() {
        if learned != nil { room.parts -= min(room.parts, Self.partsOfRequest) }
    }

    private mutating func perMinute(now: Instant) -> UInt64? {
        guard let learned else { return nil }
        let passed = now.milliseconds(since: learned.since) / 60_000
        guard passed >= Self.minutes else { return learned.perMinute }
        let doublings = passed - Self.minutes + 1
        guard doublings <= Self.minutes else {
            self.learned = nil
            return nil
        }
        return learned.perMinute << doublings
    }

    /// Forgets the seconds that are a minute old.
    private mutating func pass(to now: Instant) {
        let present = now.nanoseconds / 1_000_000_000
        guard present > second else { return }
        let first = max(second + 1, present - min(present, Self.window.seconds - 1))
        for passed in first...present { taken[Int(passed % Self.window.seconds)] = 0 }
        second = present
    }
}
