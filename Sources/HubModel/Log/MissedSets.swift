package import HubVocabulary

/// Missed sets of devices that read theirs in several pages.
///
/// Each is worked out once, however many pages it has, and goes on with the log. Memory is bounded:
/// a set that had to go is worked out again. The thread that reads the log for all sessions owns
/// it.
package struct MissedSets {
    private struct Kept {
        var set: MissedSet
        var weight: Int
        var stamp: UInt64
    }

    /// The weight of a set beside its matches.
    private static let setWeight = 32

    private let matchesMax: Int
    private var kept: [DeviceID: Kept] = [:]
    /// In the order in which they were last read; those before `oldest`, and those with another
    /// stamp, are no more.
    private var order: [(device: DeviceID, stamp: UInt64)] = []
    private var oldest = 0
    private var stamps: UInt64 = 0

    /// Matches that are remembered, and 32 for each set.
    package private(set) var weight = 0

    /// Remembers nothing yet, and never more than the limits say.
    package init(limits: SessionLimits) { matchesMax = limits.catchUp.missedMatchesMax }

    /// How many sets are remembered.
    package var count: Int { kept.count }

    /// The next page for a session, of what is remembered for its device if that holds still.
    ///
    /// - Throws: what the reading throws; nothing is remembered for the device then.
    package mutating func page(
        _ query: LogQuery,
        from log: any MissedReading,
        now: Timestamp
    ) throws(StoreError) -> LogPage {
        // In one place only, so that nothing of it is copied.
        var set = take(query.device) ?? MissedSet(query, now: now)
        if set.serves(query, now: now) {
            set.goOn(query, now: now)
        } else {
            set = MissedSet(query, now: now)
        }
        try set.look(at: log)
        let page = try set.page(from: log)
        if page.through < query.through { keep(set, for: query.device) }
        return page
    }

    private mutating func take(_ device: DeviceID) -> MissedSet? {
        guard let found = kept.removeValue(forKey: device) else { return nil }
        weight -= found.weight
        return found.set
    }

    private mutating func keep(_ set: MissedSet, for device: DeviceID) {
        let own = set.matches.count + Self.setWeight
        guard own <= matchesMax else { return }
        stamps += 1
        kept[device] = Kept(set: set, weight: own, stamp: stamps)
        order.append((device, stamps))
        weight += own
        while weight > matchesMax, oldest < order.count {
            let (device, stamp) = order[oldest]
            oldest += 1
            if let found = kept[device], found.stamp == stamp { _ = take(device) }
        }
        while oldest < order.count, kept[order[oldest].device]?.stamp != order[oldest].stamp {
            oldest += 1
        }
        // Each device has one place that counts; most of the others are gone.
        guard order.count > 64, order.count > 2 * kept.count else { return }
        order = order[oldest...].filter { kept[$0.device]?.stamp == $0.stamp }
        oldest = 0
    }
}
