import HubVocabulary

/// Wrong codes: those of the last minute, and how many there were in this hour.
struct RefusedTries {
    private static let hourMilliseconds: UInt64 = 3_600_000

    private var recent: [(network: DeviceID?, time: UInt64)] = []
    private var hour: UInt64 = 0
    private var count = 0

    /// Counts one and returns its answer.
    mutating func add(
        from network: DeviceID?,
        at time: UInt64,
        _ limits: ConsoleLimits
    ) -> SignInOutcome {
        if hour != time / Self.hourMilliseconds {
            (hour, count) = (time / Self.hourMilliseconds, 0)
        }
        count += 1
        recent.removeAll { $0.time + 60_000 <= time }
        guard recent.count < limits.triesPerMinuteOfAll,
            recent.count(where: { $0.network == network }) < limits.triesPerMinute
        else { return .tooMany(ofHour: count) }
        recent.append((network, time))
        return .refused(ofHour: count)
    }
}
