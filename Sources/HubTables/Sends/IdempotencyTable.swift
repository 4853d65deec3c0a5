package import HubModel
package import HubVocabulary

/// The idempotency keys of the last 24 hours: the newest in memory, the others in the store.
///
/// Only what is durable is in here. Of keys that were crowded out a filter knows two bytes, so nearly
/// all new ones cost no look at the store. They do where the filter has no room, or where a start has
/// not read them, until those have lapsed.
/// Source: rules B.14.
package struct IdempotencyTable {
    private let keysMax: Int
    private let keptSeconds: UInt64
    private var keys: [KeyHash: StoredKey] = [:]
    private var crowdedOut: KeyFilter
    /// In the order in which they came; those before `start` are gone.
    private var order: [(scope: KeyHash, time: Timestamp)] = []
    private var start = 0
    /// Every key accepted after this is in memory, or in the filter.
    private var completeAfter = Timestamp(milliseconds: 0)

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

    /// Fills an empty table from the store.
    package mutating func load(from storage: any HubStorage) throws(StoreError) {
        let newest = try storage.newestKeys(limit: keysMax)
        for key in newest { insert(key) }
        if newest.count == keysMax, let oldest = newest.first { completeAfter = oldest.time }
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
            completeAfter = max(completeAfter, forgotten)
        }
        guard start * 2 >= order.count else { return }
        order.removeFirst(start)
        start = 0
    }
}
