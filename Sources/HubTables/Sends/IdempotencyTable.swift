package import HubModel
package import HubVocabulary

/// The idempotency keys of the last 24 hours: the newest in memory, the others in the store.
///
/// Only what is durable is in here. Of keys that were crowded out a filter knows two bytes, so nearly
/// all new ones cost no look at the store. They do where the filter has no room, and behind a start
/// until the keys are read that memory has no room for.
/// Source: rules B.14.
package struct IdempotencyTable {
    private let keysMax: Int
    private let keptSeconds: UInt64
    private var keys: [KeyHash: StoredKey] = [:]
    private var crowdedOut: KeyFilter
    /// In the order in which they came; those before `start` are gone.
    private var order: [(scope: KeyHash, time: Timestamp)] = []
    private var start = 0
    /// Every key accepted after both times is in memory, or in the filter: what a start has read, and
    /// what found no room.
    private var readAfter = Timestamp(milliseconds: 0)
    private var forgottenAfter = Timestamp(milliseconds: 0)
    /// Keys that the start has left to be read; nil where there are none.
    package private(set) var unread: EarlierKeys?

    /// An empty table.
    package init(limits: CoreLimits) {
        keysMax = limits.idempotency.idempotencyKeysMax
        keptSeconds = limits.idempotency.idempotencyKeptSeconds
        crowdedOut = KeyFilter(
            roomMin: keysMax,
            keysMax: limits.idempotency.idempotencyKeysFilteredMax
        )
    }

    /// How many are in memory.
    package var count: Int { keys.count }

    /// Fills an empty table from the store; of more keys than memory holds the older ones are
    /// `unread`.
    package mutating func load(
        from storage: any HubStorage,
        now: Timestamp
    ) throws(StoreError) {
        let newest = try storage.newestKeys(limit: keysMax)
        for key in newest { insert(key) }
        guard newest.count == keysMax, let oldest = newest.first else { return }
        readAfter = oldest.time
        guard !isOver(oldest.time, now) else { return }
        let schedules = try storage.newestScheduleKeys(limit: keysMax)
        let isCut = schedules.count == keysMax
        unread = EarlierKeys(
            since: Timestamp(
                milliseconds: now.milliseconds - min(now.milliseconds, keptSeconds * 1_000)
            ),
            through: storage.bounds.head,
            schedules: schedules,
            forgotten: isCut ? schedules.first?.time ?? now : Timestamp(milliseconds: 0),
            // Nothing was crowded out yet.
            filter: crowdedOut
        )
    }

    /// Takes what was read of the `unread` keys.
    package mutating func take(_ earlier: EarlierKeys) {
        precondition(earlier.isWhole, "some keys are not read yet")
        unread = nil
        readAfter = min(readAfter, earlier.since)
        forgottenAfter = max(forgottenAfter, earlier.forgotten)
        if let gone = crowdedOut.insert(earlier: earlier.filter) {
            forgottenAfter = max(forgottenAfter, gone)
        }
    }

    /// Remembers a key that is durable; the oldest ones give way.
    package mutating func insert(_ key: StoredKey) {
        keys[key.key.scope] = key
        order.append((key.key.scope, key.time))
        while keys.count > keysMax { dropOldest(isForgotten: false) }
    }

    /// Drops keys whose time is over.
    package mutating func forget(now: Timestamp) {
        while start < order.count, isOver(order[start].time, now) { dropOldest(isForgotten: true) }
        let kept = keptSeconds
        crowdedOut.forget { $0.adding(seconds: kept) > now }
    }

    /// Returns the stored key of a scope; nil when it is new, or so old that it counts as new.
    package func find(
        _ scope: KeyHash,
        now: Timestamp,
        in store: any HubStorage
    ) throws(StoreError) -> StoredKey? {
        var found = keys[scope]
        let completeAfter = max(readAfter, forgottenAfter)
        if found == nil,
            !isOver(completeAfter, now) || crowdedOut.mayHold(scope, where: { !isOver($0, now) })
        {
            found = try store.key(scope)
        }
        return found.flatMap { isOver($0.time, now) ? nil : $0 }
    }

    private func isOver(_ time: Timestamp, _ now: Timestamp) -> Bool {
        time.adding(seconds: keptSeconds) <= now
    }

    private mutating func dropOldest(isForgotten: Bool) {
        let oldest = order[start]
        start += 1
        // A key that was used again later is behind in the order once more.
        if keys[oldest.scope]?.time == oldest.time { keys[oldest.scope] = nil }
        if !isForgotten, let forgotten = crowdedOut.insert(oldest.scope, at: oldest.time) {
            forgottenAfter = max(forgottenAfter, forgotten)
        }
        guard start * 2 >= order.count else { return }
        order.removeFirst(start)
        start = 0
    }
}
