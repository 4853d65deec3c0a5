import HubModel
@testable import HubStore
import HubTags
import HubTestSupport
import HubVocabulary
import Testing

/// What a hub asks of its store, drawn by lot: every kind of change, records of all sizes, keys,
/// schedules that fire and go, cursors, counters, revocations.
struct StoreScript {
    /// One step; durable as far as it says when it returns.
    enum Action {
        case commit([StoredChange], [NotificationRecord])
        /// The store numbers it.
        case checkpoint(CheckpointBatch)
        case revoke(DeviceID, UInt32)
        case forgetKeys(Timestamp)

        /// Does it; nothing may be refused.
        func perform(on store: any HubStorage) throws {
            switch self {
            case .commit(let changes, let records):
                let result = store.commit(changes: changes, records: records)
                #expect(result.changes == nil && result.records == nil)
            case .checkpoint(var batch):
                batch.number = store.checkpointNumber + 1
                try store.checkpoint(batch)
            case .revoke(let device, let generation):
                try store.revoke(device, generation: generation)
            case .forgetKeys(let time): while try store.forgetKeys(before: time) {}
            }
        }
    }

    /// Keys of schedules are numbered from here on, those of records below.
    static let scheduleKeys: UInt64 = 1 << 40

    private var random: SeededGenerator
    private var registrations: [UInt32] = []
    private var lastRegistration: UInt32 = 0
    private var schedules: [ScheduledNotification] = []
    private var fired: [ScheduleID] = []
    private var lastSchedule: UInt64 = 0
    private var lastDeparture: UInt64 = 0
    private var lastKey: UInt64 = 0
    private var generation: UInt32 = 0
    private var deferred: [DeferredRow.Key] = []

    /// The same steps for the same seed.
    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The next step, for a store whose log ends at `head`.
    mutating func next(head: UInt64) -> Action {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: .commit([], records(after: head))
        case 8..<11: .commit(changes(), [])
        case 11..<16: .commit(changes(), records(after: head))
        case 16..<18: checkpoint(head: head)
        case 18: revoke()
        default: .forgetKeys(Timestamp(milliseconds: head / 2))
        }
    }

    private func roll(_ bound: Int, _ random: inout SeededGenerator) -> Int {
        .random(in: 0..<bound, using: &random)
    }

    private mutating func records(after head: UInt64) -> [NotificationRecord] {
        let count = UInt64.random(in: 1...6, using: &random)
        return (head + 1...head + count).map { sequence in
            if !schedules.isEmpty, roll(4, &random) == 0 {
                let schedule = schedules.removeFirst()
                fired.append(schedule.id)
                return Sample.record(sequence, key: nil, schedule: schedule.id)
            }
            if roll(3, &random) == 0 {
                lastKey += 1
                return Sample.record(sequence, key: lastKey)
            }
            return Sample.record(sequence, bytes: .random(in: 40...6_000, using: &random))
        }
    }

    private mutating func changes() -> [StoredChange] {
        var changes: [StoredChange] = fired.map { .removeSchedule($0) }
        fired = []
        for _ in 0..<Int.random(in: 1...4, using: &random) { changes.append(change()) }
        return changes
    }

    private mutating func change() -> StoredChange {
        switch roll(9, &random) {
        case 0..<3:
            lastRegistration += 1
            registrations.append(lastRegistration)
            return .put(Sample.registration(lastRegistration))
        case 3 where !registrations.isEmpty:
            let number = registrations[roll(registrations.count, &random)]
            let tag = "t\(roll(100, &random))"
            return .put(Sample.registration(number, tags: ["World", tag]))
        case 4 where !registrations.isEmpty:
            let number = registrations.remove(at: roll(registrations.count, &random))
            return .remove(Sample.registration(number))
        case 5:
            let number = UInt32(roll(6, &random) + 1)
            return .putInstallation(Sample.installation(number, text: "{\"v\":\(lastKey)}"))
        case 6:
            return .removeInstallation(Sample.installation(UInt32(roll(6, &random) + 1)))
        case 7:
            lastDeparture += 1
            return .putDeparture(Sample.departure(lastDeparture))
        default:
            lastSchedule += 1
            let key = roll(2, &random) == 0 ? Self.scheduleKeys + lastSchedule : nil
            let schedule = Sample.schedule(lastSchedule, due: 1_000 + lastSchedule, key: key)
            schedules.append(schedule)
            return .putSchedule(schedule)
        }
    }

    private mutating func checkpoint(head: UInt64) -> Action {
        let cursors = (1...UInt64.random(in: 1...5, using: &random)).map { device in
            Sample.cursor(device, head / device, head, head + 1)
        }
        var batch = CheckpointBatch(number: 0, cursors: cursors)
        guard head >= 3 else { return .checkpoint(batch) }
        batch.counters = (head - 2...head).map { sequence in
            Sample.delta(sequence, .apple, .sent, 1 + UInt64(roll(9, &random)))
        }
        batch.lanes = [lane(head: head)]
        return .checkpoint(batch)
    }

    /// A lane that goes on: its mark, a failure, a row more and perhaps a row less.
    private mutating func lane(head: UInt64) -> LaneProgress {
        let row = Sample.deferredRow(head, UInt32(1 + roll(50, &random)))
        var gone: [DeferredRow.Key] = []
        if deferred.count > 3 { gone.append(deferred.remove(at: roll(deferred.count, &random))) }
        if !deferred.contains(row.key) { deferred.append(row.key) }
        let open = LaneMark.Open(
            sequence: head - 1,
            progress: .through(below: UInt32(1 + roll(90, &random)), done: [100, 4_000_000_000])
        )
        return LaneProgress(
            platform: .apple,
            mark: LaneMark(epoch: 7, scanned: head, givenUp: head / 3, open: [open]),
            failures: [Sample.relayFailure(head, row.registration)],
            deferred: [row],
            finished: gone.filter { $0 != row.key }
        )
    }

    private mutating func revoke() -> Action {
        generation += 1
        return .revoke(DeviceID(high: 1, low: UInt64(roll(4, &random))), generation)
    }
}

extension HubStorage {
    /// Sets a device's key generation.
    func revoke(_ device: DeviceID, generation: UInt32) throws(StoreError) {
        let result = commit(changes: [.revoke(device, generation: generation)], records: [])
        if let error = result.changes { throw error }
    }
}
