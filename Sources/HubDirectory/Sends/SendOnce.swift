import HubModel
import HubTables
import HubVocabulary

/// Requests with an idempotency key: the second one gets the answer of the first.
///
/// Source: rules B.14.
final class SendOnce: GroupPart {
    /// Milliseconds after which lapsed keys are due to be forgotten.
    private static let forgettingMilliseconds: UInt64 = 10_000

    private let limits: CoreLimits
    private let store: any HubStorage
    private var table: IdempotencyTable
    /// The keys of the present group, in their order and by their scope.
    private var group: [GroupKey] = []
    private var places: [KeyHash: Int] = [:]
    /// When lapsed keys are looked for again.
    private var nextForgetting = Instant(nanoseconds: 0)

    /// Begins with the newest keys of a store.
    init(
        _ storage: any HubStorage,
        limits: CoreLimits,
        now: Timestamp
    ) throws(StoreError) {
        self.limits = limits
        store = storage
        table = IdempotencyTable(limits: limits)
        try table.load(from: storage, now: now)
    }

    /// Keys that the start has left to be read; nil where there are none.
    var unread: EarlierKeys? { table.unread }

    /// The keys that the start had left are read.
    func receive(_ keys: EarlierKeys) { table.take(keys) }

    /// How many keys are in memory.
    var count: Int { table.count }

    /// Returns what a key stands for; nil when it is new.
    func find(_ key: IdempotencyKey?, now: Timestamp) throws(StoreError) -> KnownKey? {
        guard let key else { return nil }
        if let place = places[key.scope] {
            return known(key, group[place].stored, group[place].isRecord ? .records : .changes)
        }
        return try table.find(key.scope, now: now, in: store).map { known(key, $0, .nothing) }
    }

    private func known(_ key: IdempotencyKey, _ found: StoredKey, _ needs: AnswerNeeds) -> KnownKey
    {
        let isSame = key.fingerprint == found.key.fingerprint
        return KnownKey(outcome: isSame ? found.outcome : nil, needs: needs)
    }

    /// Returns where the log has the record of a schedule that fired; nil when it has none.
    func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        try store.sequence(of: schedule)
    }

    /// Notes a key of the present group.
    func remember(_ key: StoredKey, isRecord: Bool) {
        places[key.key.scope] = group.count
        group.append(GroupKey(stored: key, isRecord: isRecord))
    }

    // MARK: The group

    /// Keys are stored with their records and schedules.
    var storedChanges: [StoredChange] { [] }

    var touchedCount: Int { 0 }

    func settle(_ outcome: GroupOutcome, _ news: inout GroupNews) {
        if outcome.areChangesDurable {
            for key in group where !key.isRecord { table.insert(key.stored) }
        }
        if outcome.areRecordsDurable {
            for key in group where key.isRecord { table.insert(key.stored) }
        }
        group.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
    }

    // MARK: Forgetting

    /// Returns the time before which the store may forget keys; nil while that is not due.
    func forgettingDue(now: Now) -> Timestamp? {
        guard now.instant >= nextForgetting else { return nil }
        nextForgetting = now.instant.adding(milliseconds: Self.forgettingMilliseconds)
        table.forget(now: now.time)
        let kept = limits.idempotency.idempotencyKeptSeconds * 1_000
        return now.time.milliseconds > kept
            ? Timestamp(milliseconds: now.time.milliseconds - kept) : nil
    }

    /// The store has forgotten some keys, and has more of them.
    func hasMoreToForget(now: Now) { nextForgetting = now.instant }
}
