import HubModel
import HubVocabulary

extension HubState {
    /// Takes everything that a store has, once.
    ///
    /// Where there is a warm directory the state has its registrations and installations already.
    func load(
        _ storage: any HubStorage,
        warm: WarmDirectory?,
        seed: UInt64,
        now: Now
    ) throws(StoreError) {
        try loadDevices(storage, warm: warm)
        if warm != nil {
            try takeWarmRegistrations(now: now)
        } else {
            try loadRegistrations(storage, seed: seed, now: now)
            try loadInstallations(storage)
        }
        try storage.forEachSchedule { schedules.load($0, isInLog: $1) }
        try storage.forEachCancelled { schedules.loadCancelled($0) }
        try storage.forEachJob { jobs.load($0) }
    }

    private func loadInstallations(_ storage: any HubStorage) throws(StoreError) {
        try storage.forEachInstallation { installation in
            installations.load(installation)
            if let expires = installation.expires {
                lapses.installations.insert(expires, installation.number)
            }
        }
    }

    private func loadDevices(
        _ storage: any HubStorage,
        warm: WarmDirectory?
    ) throws(StoreError) {
        try storage.forEachRevocation { device, generation in
            devices.keys.set(generation, of: device)
        }
        if let cursors = try warm?.warmCursors.take(levelWith: storage) {
            return devices.load(cursors, head: log.bounds.head)
        }
        if warm != nil { devices.reserve(table.countOnDevices) }
        try storage.forEachCursor { cursor in devices.load(cursor, head: log.bounds.head) }
    }

    /// Takes the outlines of all registrations; each template is compiled once to know whether it
    /// can be.
    private func loadRegistrations(
        _ storage: any HubStorage,
        seed: UInt64,
        now: Now
    ) throws(StoreError) {
        var templates = LoadedTemplates(seed: seed)
        var withoutCursor: [(device: DeviceID, since: UInt64)] = []
        try storage.forEachStoredRegistration { bytes throws(RecordProblem) in
            let outline = try RegistrationOutline(bytes)
            let isUndeliverable = try templates.isUndeliverable(
                outline,
                bytes,
                table.rows.templates
            )
            if isUndeliverable { outbox.tell(.undeliverableTemplate(outline.number)) }
            table.load(outline, bytes, isUndeliverable: isUndeliverable)
            if let expires = outline.expires {
                lapses.registrations.insert(expires, outline.number)
            }
            if let device = outline.target?.device, devices.cursor(of: device) == nil {
                withoutCursor.append((device, outline.since.sequence))
            }
        }
        table.finishLoading()
        makeCursors(withoutCursor, now: now)
    }

    /// Does for registrations that are there already what loading them does besides.
    private func takeWarmRegistrations(now: Now) throws(StoreError) {
        if table.undeliverable > 0 {
            for number in table.columns.undeliverable {
                outbox.tell(.undeliverableTemplate(number))
            }
        }
        let numbers = table.columns.numbers { devices.placesWithoutCursor($0) }
        var withoutCursor: [(device: DeviceID, since: UInt64)] = []
        for start in stride(from: 0, to: numbers.count, by: Self.readStep) {
            let some = Array(numbers[start..<min(start + Self.readStep, numbers.count)])
            for registration in try table.registrations(some, remembers: false) {
                guard let device = registration.target?.device else { continue }
                withoutCursor.append((device, registration.since.sequence))
            }
        }
        makeCursors(withoutCursor, now: now)
    }

    /// Registrations that are read at once.
    private static let readStep = 4_096

    /// Makes the cursors of devices that have none: a crash may come between a device's first
    /// registration and its cursor.
    private func makeCursors(_ lacking: [(device: DeviceID, since: UInt64)], now: Now) {
        for (device, since) in lacking.sorted(by: { $0.since < $1.since })
        where devices.cursor(of: device) == nil {
            let before = max(1, since) - 1
            devices.advance(device, acknowledged: before, scannedThrough: before, now: now.time)
        }
    }
}
