package import HubModel
import HubVocabulary

/// The effect of a group's changes on the items of a hub: each item once, in its last state.
package struct GroupEffect: Hashable, Sendable {
    /// Items to insert or replace, ascending by key.
    package private(set) var puts: [StoredItem] = []
    /// Items to remove, ascending; some may never have been stored.
    package private(set) var removals: [ItemKey] = []
    /// The highest number of a registration that the group names; 0 for none.
    package private(set) var numberMax: UInt32 = 0
    /// Up to where records are purged by the group's settings; 0 for nowhere.
    package private(set) var purged: UInt64 = 0

    /// Folds changes in their order; `head` is that of the log before the group.
    package init(_ changes: [StoredChange], head: UInt64) {
        var states: [ItemKey: StoredItem?] = [:]
        func put(_ value: ItemValue) {
            let item = StoredItem(value)
            states[item.key] = .some(item)
        }
        for change in changes {
            switch change {
            case .put(let registration):
                put(.registration(registration))
                numberMax = max(numberMax, registration.number.raw)
            case .remove(let registration):
                put(.tombstone(registration, gone: head + 1))
                numberMax = max(numberMax, registration.number.raw)
            case .putInstallation(let installation): put(.installation(installation))
            case .removeInstallation(let installation):
                states[ItemKey(.installation, installation.key)] = .some(nil)
            case .putSchedule(let schedule):
                put(.schedule(schedule))
                if let key = schedule.draft.idempotency { put(.scheduleKey(key, schedule.id)) }
            case .removeSchedule(let id):
                states[ItemKey(.schedule, .id(id.high, id.low))] = .some(nil)
            case .cancelSchedule(let schedule):
                states[ItemKey(.schedule, .id(schedule.id.high, schedule.id.low))] = .some(nil)
                put(.cancelled(schedule))
            case .forgetSchedule(let id):
                states[ItemKey(.cancelled, .id(id.high, id.low))] = .some(nil)
            case .revoke(let device, let generation): put(.generation(device, generation))
            case .putSettings(let settings):
                put(.settings(settings))
                purged = max(purged, settings.purgedThrough)
            case .putJob(let job): put(.job(job))
            case .removeJob(let id): states[ItemKey(.job, Array(id.text.utf8))] = .some(nil)
            case .putDeparture(let row): put(.departure(row))
            }
        }
        for (key, state) in states.sorted(by: { $0.key < $1.key }) {
            if let state { puts.append(state) } else { removals.append(key) }
        }
    }
}
