import HubModel
import HubStore
import HubVocabulary

/// The state of a hub's stores that were just put back, before a server opens them.
struct RestoredHub {
    /// Registrations whose handles are tried with the keys.
    private static let handlesMax = 64

    /// Whether the keys made the handles of the devices that are registered; true when there are
    /// none.
    private(set) var isOfKeys = true
    /// Scheduled notifications whose time has passed.
    private(set) var overdue = 0

    /// Opens the stores, counts, and forgets what is overdue when it is to be skipped.
    ///
    /// - Throws: what a store throws that cannot be opened or changed.
    init(
        _ hub: StoredHub,
        folder: String,
        now: Timestamp,
        skipsOverdue: Bool
    ) throws(StoreError) {
        let store = try SQLiteStore(folder: folder, epochSeed: 1)
        defer { store.close() }
        isOfKeys = try Self.isOfKeys(hub, store)
        var due: [ScheduleID] = []
        try store.forEachSchedule { schedule, isInLog in
            if !isInLog, schedule.due <= now { due.append(schedule.id) }
        }
        overdue = due.count
        guard skipsOverdue, !due.isEmpty else { return }
        let result = store.commit(changes: due.map { .removeSchedule($0) }, records: [])
        if let refused = result.changes { throw refused }
    }

    /// One handle that fits is enough: a revoked device's older ones do not fit any more.
    private static func isOfKeys(
        _ hub: StoredHub,
        _ store: SQLiteStore
    ) throws(StoreError) -> Bool {
        var generations: [DeviceID: UInt32] = [:]
        try store.forEachRevocation { generations[$0] = $1 }
        var tried = 0
        var fits = false
        try store.forEachRegistration { registration in
            guard let device = registration.target?.device, !fits, tried < handlesMax else {
                return
            }
            tried += 1
            let found = PushHandle.device(
                of: registration.content.handle,
                platform: registration.content.platform,
                hub: hub.name,
                secret: hub.secret
            ) { generations[$0] ?? 0 }
            fits = found == device
        }
        return fits || tried == 0
    }
}
