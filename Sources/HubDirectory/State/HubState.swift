import HubModel
import HubRules
import HubTemplates
import HubVocabulary

/// The parts of a hub: one for each kind of thing that it keeps.
///
/// Owned by the hub's writer thread. Requests change it through their `plan`; `Hub` says when.
package final class HubState {
    var terms: HubTerms
    let table: RegistrationTable
    let installations: InstallationTable
    let devices: DeviceTable
    let schedules = ScheduleTable()
    let jobs = JobTable()
    let settings: SettingsBook
    let departures: DepartureJournal
    let sends: SendOnce
    let log: HubLog
    let progress: ProgressBook
    let outbox = Outbox()
    var lapses = Lapses()
    var rates = HubRates()
    var identifiers: Identifiers
    var group: PlannedGroup

    /// Takes what a store has, but for the registrations; those of `warm`, where there is one.
    init(
        _ terms: HubTerms,
        storage: any HubStorage,
        warm: WarmDirectory?,
        shards: Int,
        seed: UInt64,
        now: Now
    ) throws(StoreError) {
        self.terms = terms
        let limits = terms.limits
        let rows = StoredRegistrations(storage, limits: limits)
        let numberMax = storage.registrationNumberMax
        if let warm {
            table = warm.table
            table.begin(on: rows, numberMax: numberMax)
            installations = warm.installations
            lapses = warm.lapses
        } else {
            table = RegistrationTable(numberMax: numberMax, seed: seed, rows: rows)
            installations = InstallationTable()
        }
        devices = DeviceTable(idleDays: limits.devices.deviceIdleDays, seed: seed)
        settings = SettingsBook(try storage.settings() ?? HubSettings(limits))
        departures = try DepartureJournal(storage)
        sends = try SendOnce(storage, limits: limits, now: now.time)
        log = try HubLog(storage, limits: limits)
        progress = try ProgressBook(
            storage,
            shards: shards,
            limits: limits,
            log: log,
            devices: devices,
            registrations: table,
            outbox: outbox,
            now: now.instant
        )
        identifiers = Identifiers(
            secret: terms.secret,
            seed: seed,
            newest: try log.newestID()
        )
        group = PlannedGroup(time: now.time)
    }

    /// Returns the parts of a group, in the order in which the store is given the changes.
    var parts: [any GroupPart] {
        [table, installations, schedules, settings, jobs, departures, devices.keys, sends]
    }

    // MARK: Handles

    /// Returns the device that holds a handle now; nil when none of this hub's does.
    func device(of handle: [UInt8], platform: Platform) -> DeviceID? {
        PushHandle.device(of: handle, platform: platform, hub: terms.hub, secret: terms.secret) {
            devices.keys[$0]
        }
    }

    /// Returns the device that holds a handle now on whatever platform.
    func device(of handle: [UInt8]) -> DeviceID? {
        Platform.allCases.lazy.compactMap { self.device(of: handle, platform: $0) }.first
    }

    /// Returns a device's present push handle, as a registration keeps it.
    func handle(of device: DeviceID) -> [UInt8] {
        PushHandle(
            device: device,
            hub: terms.hub,
            secret: terms.secret,
            generation: devices.keys[device]
        ).text
    }

    // MARK: Records

    /// Puts a draft behind the group's other records.
    @discardableResult
    func append(
        _ draft: NotificationDraft,
        schedule: ScheduleID? = nil
    ) -> NotificationRecord {
        let record = NotificationRecord(
            sequence: log.bounds.head + 1 + UInt64(group.records.count),
            id: identifiers.notification(now: group.time),
            draft: draft,
            schedule: schedule,
            anchors: draft.anchors { table.count(tag: $0) }
        )
        group.records.append(record)
        if let key = record.storedKey { sends.remember(key, isRecord: true) }
        return record
    }
}
