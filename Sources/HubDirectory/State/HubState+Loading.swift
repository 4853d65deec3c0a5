import HubModel
import HubTags
import HubVocabulary

extension HubState {
    /// Takes everything that a store has, once.
    func load(_ storage: any HubStorage, seed: UInt64, now: Now) throws(StoreError) {
        try loadDevices(storage)
        try loadRegistrations(storage, seed: seed, now: now)
        try loadInstallations(storage)
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

    private func loadDevices(_ storage: any HubStorage) throws(StoreError) {
        try storage.forEachRevocation { device, generation in
            devices.keys.set(generation, of: device)
        }
        try storage.forEachCursor { cursor in devices.load(cursor, head: log.bounds.head) }
    }

    /// Takes the outlines of all registrations; each template is compiled once to know whether it
    /// can be.
    private func loadRegistrations(
        _ storage: any HubStorage,
        seed: UInt64,
        now: Now
    ) throws(StoreError) {
        let hash = TagHash(seed: seed)
        var isDeliverable: [UInt64: Bool] = [:]
        var withoutCursor: [(device: DeviceID, since: UInt64)] = []
        try storage.forEachStoredRegistration { bytes throws(RecordProblem) in
            let outline = try RegistrationOutline(bytes)
            var isUndeliverable = false
            if !outline.template.isEmpty {
                let template = bytes.extracting(outline.template)
                let key = hash.exactValue(of: template) ^ UInt64(outline.platform.rawValue)
                if isDeliverable[key] == nil {
                    isDeliverable[key] = try compiles(outline, bytes)
                }
                isUndeliverable = isDeliverable[key] == false
            }
            if isUndeliverable {
                outbox.tell(.undeliverableTemplate(outline.number))
            }
            table.load(outline, bytes, isUndeliverable: isUndeliverable)
            if let expires = outline.expires {
                lapses.registrations.insert(expires, outline.number)
            }
            if let device = outline.target?.device, devices.cursor(of: device) == nil {
                withoutCursor.append((device, max(1, outline.since.sequence) - 1))
            }
        }
        table.finishLoading()
        // A crash may come between a device's first registration and its cursor.
        withoutCursor.sort { $0.since < $1.since }
        for (device, since) in withoutCursor where devices.cursor(of: device) == nil {
            devices.advance(device, acknowledged: since, scannedThrough: since, now: now.time)
        }
    }

    private func compiles(
        _ outline: RegistrationOutline,
        _ bytes: Span<UInt8>
    ) throws(RecordProblem) -> Bool {
        let definition = try RegistrationCodec.template(in: outline.template, of: bytes)
        return table.rows.templates.stored(definition, platform: outline.platform) != nil
    }
}
