package import HubModel
import HubTables
package import HubVocabulary

/// The scheduled notifications of a hub, by id and in the order in which they fire.
///
/// One step belongs to a group's records: `settle` finds a notification that `fire` took in the
/// log, where it waits for its removal, or lets it wait for its time again. One that has fired
/// never comes back among those that wait, so it fires once. Source: rules B.13.
package final class ScheduleTable: GroupPart {
    /// The state in which a cancellation found its notification.
    enum Cancellation {
        case cancelled
        /// Its record is part of the present group.
        case firing
        /// Unknown, cancelled before, or in the log.
        case unknown
    }

    private enum State {
        case waiting
        case firing
        case fired
    }

    private struct Entry {
        var schedule: ScheduledNotification
        var state: State
    }

    private enum Change {
        case added(ScheduledNotification)
        case cancelled(ScheduledNotification)
        case forgotten(ScheduledNotification)
        case removed(ScheduleID)
    }

    private var entries: [ScheduleID: Entry] = [:]
    private var waiting = PlaceList()
    private var firing: [ScheduleID] = []
    private var fired: [ScheduleID] = []
    /// Those that were cancelled, by id, and their ids in the order of their cancellation.
    private var taken: [ScheduleID: ScheduledNotification] = [:]
    private var takenOrder: [ScheduleID] = []
    private var changes: [Change] = []

    /// The weight of all of them, in bytes.
    private(set) var bytes = 0
    /// Those that wait, and those that have fired and are not removed yet.
    var count: Int { entries.count }
    /// When the next one is due; nil when none waits.
    var nextDue: Timestamp? { waiting.first?.due }
    /// Whether some are in the log and only have to be removed.
    var hasFired: Bool { !fired.isEmpty }

    /// Takes a schedule from the store; one whose record is in the log is only removed.
    func load(_ schedule: ScheduledNotification, isInLog: Bool) {
        enter(schedule, isInLog ? .fired : .waiting)
        if isInLog { fired.append(schedule.id) } else { waiting.insert(schedule.place) }
    }

    /// Takes a cancelled schedule from the store; the oldest first.
    func loadCancelled(_ schedule: ScheduledNotification) {
        taken[schedule.id] = schedule
        takenOrder.append(schedule.id)
    }

    // MARK: Changes

    /// How many changes the group holds.
    var touchedCount: Int { changes.count }

    /// Adds a schedule; it can fire once it is durable.
    func add(_ schedule: ScheduledNotification) {
        enter(schedule, .waiting)
        changes.append(.added(schedule))
    }

    /// Takes a schedule out before it fires; remembers the newest `kept` of those.
    func cancel(_ id: ScheduleID, kept: Int) -> Cancellation {
        guard let entry = entries[id] else { return .unknown }
        switch entry.state {
        case .firing: return .firing
        case .fired: return .unknown
        case .waiting:
            leave(id)
            waiting.remove(entry.schedule.place)
            changes.append(.cancelled(entry.schedule))
            loadCancelled(entry.schedule)
            while takenOrder.count > max(1, kept) {
                let oldest = takenOrder.removeFirst()
                if let forgotten = taken.removeValue(forKey: oldest) {
                    changes.append(.forgotten(forgotten))
                }
            }
            return .cancelled
        }
    }

    /// Removes some of those that are in the log, at most so many.
    func removeFired(limit: Int) {
        for id in fired.prefix(limit) { changes.append(.removed(id)) }
    }

    var storedChanges: [StoredChange] {
        changes.map { change in
            switch change {
            case .added(let schedule): .putSchedule(schedule)
            case .cancelled(let schedule): .cancelSchedule(schedule)
            case .forgotten(let schedule): .forgetSchedule(schedule.id)
            case .removed(let id): .removeSchedule(id)
            }
        }
    }

    func settle(_ outcome: GroupOutcome, _ news: inout GroupNews) {
        if outcome.areChangesDurable { keep() } else { revert() }
        let count = settleFired(isDurable: outcome.areRecordsDurable)
        if count > 0 { news.events.append(.schedulesFired(count)) }
    }

    private func keep() {
        var removed: Set<ScheduleID> = []
        for change in changes {
            switch change {
            case .added(let schedule):
                if entries[schedule.id] != nil { waiting.insert(schedule.place) }
            case .cancelled, .forgotten: break
            case .removed(let id):
                leave(id)
                removed.insert(id)
            }
        }
        if !removed.isEmpty { fired.removeAll { removed.contains($0) } }
        changes.removeAll(keepingCapacity: true)
    }

    private func revert() {
        for change in changes.reversed() {
            switch change {
            case .added(let schedule):
                leave(schedule.id)
                waiting.remove(schedule.place)
            case .forgotten(let schedule):
                taken[schedule.id] = schedule
                takenOrder.insert(schedule.id, at: 0)
            case .cancelled(let schedule):
                taken[schedule.id] = nil
                takenOrder.removeLast()
                enter(schedule, .waiting)
                waiting.insert(schedule.place)
            case .removed: break
            }
        }
        changes.removeAll(keepingCapacity: true)
    }

    // MARK: Firing

    /// The next schedule whose time has come, for the present group.
    func fire(now: Timestamp) -> ScheduledNotification? {
        guard let first = waiting.first, first.due <= now,
            let schedule = entries[first.id]?.schedule
        else { return nil }
        waiting.removeFirst()
        entries[first.id]?.state = .firing
        firing.append(first.id)
        return schedule
    }

    /// The group's records are durable, or refused and due again.
    ///
    /// - Returns: how many fired.
    private func settleFired(isDurable: Bool) -> Int {
        let ids = firing
        firing.removeAll(keepingCapacity: true)
        for id in ids { entries[id]?.state = isDurable ? .fired : .waiting }
        guard !isDurable else {
            fired += ids
            return ids.count
        }
        // The last one first: each then goes before all others, which costs nothing.
        for id in ids.reversed() {
            if let place = entries[id]?.schedule.place { waiting.insert(place) }
        }
        return 0
    }

    // MARK: Queries

    /// A schedule that has not fired.
    package subscript(id: ScheduleID) -> ScheduledNotification? {
        entries[id].flatMap { $0.state == .waiting ? $0.schedule : nil }
    }

    /// A schedule that was cancelled; nil for any other, and for what is no longer remembered.
    package func cancelled(_ id: ScheduleID) -> ScheduledNotification? { taken[id] }

    /// Those that wait behind a place, in the order in which they fire.
    package func page(after place: SchedulePlace?, limit: Int) -> [ScheduledNotification] {
        waiting.page(after: place, limit: limit).compactMap { entries[$0.id]?.schedule }
    }

    private func enter(_ schedule: ScheduledNotification, _ state: State) {
        entries[schedule.id] = Entry(schedule: schedule, state: state)
        bytes += schedule.bytes
    }

    private func leave(_ id: ScheduleID) {
        if let entry = entries.removeValue(forKey: id) { bytes -= entry.schedule.bytes }
    }
}
