package import HubModel
package import HubRules
import HubTags
package import HubVocabulary

/// One hub's registrations, devices and order of events: decides what is stored, what the log's
/// next numbers are, and who is answered when.
///
/// Owned by the hub's writer thread, not Sendable, without clock, file or lock. The owner's loop:
///
///     receive(command or request)*  →  nextGroup  →  storage.commit  →  committed  →  takeActions
///
/// Requests are taken in the order of arrival. Changes of a group are made in memory at once, so
/// that what comes behind in the same group sees them, and taken back when the store refuses them;
/// nothing that depends on them leaves before the store has said yes. Per group the actions are,
/// in this order: the feed item, then every answer. Source: rules A.2.
package final class HubDirectory {
    /// One thing that waits for its turn.
    enum Work {
        case command(HubCommand, RequestToken)
        /// The remaining drafts of a command with many sends.
        case sendRest(SendSequence)
        case device(DeviceID, UInt64, ConnectionAddress, reference: UInt16, DeviceRequest)
        case attach(AttachRequest)
        case detach(DeviceID, UInt64)
        case reload([DeviceReload])
        case expire(RegistrationNumber)
        case forget(DeviceID)
        case expireInstallation(InstallationNumber)
        /// Scheduled notifications whose time has come.
        case fireSchedules
        /// Scheduled notifications that are in the log.
        case removeFiredSchedules
        /// Imports that the hub's end interrupted.
        case failInterruptedJobs
    }

    /// An answer that is given once a group is through; answers go in this order.
    enum Answer {
        /// Holds if the group's changes are durable.
        case changed(RequestToken, Result<HubReply, Refusal>)
        /// Holds if the group's records are durable.
        case sent(RequestToken, NotificationRecord)
        /// Each holds as its promise says.
        case sentAll(SendSequence)
        /// Holds if the group's records are durable.
        case recorded(RequestToken, Result<HubReply, Refusal>)
        /// Holds whatever becomes of the group.
        case known(RequestToken, Result<HubReply, Refusal>)
        /// Holds if the group's changes are durable.
        case outcome(ConnectionAddress, reference: UInt16, DeviceOutcome)
        /// Answered from what is durable.
        case query(HubCommand, RequestToken)
        /// Answered from what is durable.
        case attach(AttachRequest, sessionGeneration: UInt64)
        /// Answered from what is durable.
        case attached(DeviceReload)
        /// A registration lapsed; tried again when the change is not durable.
        case expired(RegistrationNumber, Timestamp)
        /// A device was idle for too long; tried again when the change is not durable.
        case forgotten(DeviceID)
        /// An installation lapsed; tried again when the change is not durable.
        case installationExpired(InstallationNumber, Timestamp)
        /// Counts if the group's changes are durable.
        case event(DirectoryEvent)
    }

    /// A group that the store is working on.
    struct Pending {
        var group: CommitGroup
        var answers: [Answer]
    }

    /// Requests that may wait; more are refused.
    package static let queueMax = 65_536
    /// Milliseconds after which changed cursors are due.
    ///
    /// Source: rules B.5.
    package static let checkpointMilliseconds: UInt64 = 1_000
    /// Answers of one group at most.
    static let answersMax = 4_096
    /// Seconds after which a caller may try again what the store refused.
    static let retrySeconds = StoreError.retrySeconds

    /// The hub's name.
    package let hub: HubName
    let secret: HubSecret
    let limits: CoreLimits
    let protected: ProtectedTags
    let reader: any LogReading
    let history: any HistoryReading
    let departureStore: any DepartureReading

    let table: RegistrationTable
    let installations = InstallationTable()
    let schedules = ScheduleTable()
    let settingsBook: SettingsBook
    let jobs = JobTable()
    let departures: DepartureJournal
    let keyGenerations = KeyGenerations()
    let sends: SendOnce
    /// The parts of a group, in the order in which the store is given their changes.
    let parts: [any GroupPart]
    var devices: DeviceTable
    let templates = TemplatePool()
    var random: KeyedRandom
    var ids: NotificationIDMaker
    var checks = CheckWindow()
    var recent: RecentNotifications
    var lookedUp: LookedUpNotifications
    var telemetry: TelemetryBook
    /// Counters of notifications below are forgotten; nil until it was worked out.
    var floor: (sequence: UInt64, since: Instant)?
    var expiry = ExpiryQueue<RegistrationNumber>()
    var installationExpiry = ExpiryQueue<InstallationNumber>()
    let started: Instant
    var scheduling = SchedulingState()
    /// When test sends were admitted within the last minute.
    var testSends: [Instant] = []

    /// The log's extent as far as it is durable.
    package internal(set) var bounds: LogBounds
    /// The check value of the record at the head.
    var headCheck: UInt32
    /// Seconds for which a registration lives after a write over REST that is not an installation's;
    /// nil for ever.
    ///
    /// Source: REST §4.16.
    package var registrationLifeSeconds: UInt64?
    /// The present time of the group that is being planned.
    var planningTime: Timestamp
    /// The number of the last feed item.
    package internal(set) var feedNumber: UInt64 = 0

    var queue = WorkQueue()
    var records: [NotificationRecord] = []
    var answers: [Answer] = []
    var pending: Pending?
    var actions: [DirectoryAction] = []
    var groupCounter: UInt64 = 0
    var isStopping = false
    /// Bytes of the log's files, about, as the store last said.
    var logBytes = 0
    /// Whether an operator was told that the log has grown beyond what was meant for it.
    var isLogTooLarge = false
    var lastCheckpoint: Instant

    /// Loads a hub from its store.
    ///
    /// Templates are compiled once per definition; a stored one that no longer compiles keeps its
    /// registration, which then gets nothing and is counted (`.undeliverableTemplate`).
    /// `seed` feeds external ids and notification ids and must be drawn at random; `shards` is how
    /// many report what they fanned out.
    /// - Throws: what the store throws; nothing is running then.
    package init(
        hub: HubName,
        secret: HubSecret,
        storage: any HubStorage,
        limits: CoreLimits,
        protected: ProtectedTags,
        shards: Int = 1,
        seed: UInt64,
        now: Now
    ) throws(StoreError) {
        self.hub = hub
        self.secret = secret
        self.limits = limits
        self.protected = protected
        reader = storage.reader
        history = storage
        departureStore = storage
        recent = RecentNotifications(sizeMax: limits.recentNotificationsMax)
        lookedUp = LookedUpNotifications(sizeMax: limits.lookedUpNotificationsMax)
        telemetry = TelemetryBook(
            limits: limits,
            shards: shards,
            head: storage.bounds.head,
            lastBatch: storage.checkpointNumber
        )
        bounds = storage.bounds
        headCheck = try storage.reader.check(at: storage.bounds.head) ?? 0
        random = KeyedRandom(secret: secret, seed: seed)
        table = RegistrationTable(
            numberMax: storage.registrationNumberMax,
            seed: seed,
            rows: StoredRegistrations(storage, templates: templates, limits: limits)
        )
        lastCheckpoint = now.instant
        started = now.instant
        planningTime = now.time
        devices = DeviceTable(idleDays: limits.deviceIdleDays, seed: seed)
        sends = try SendOnce(storage, limits: limits)
        settingsBook = SettingsBook(try storage.settings() ?? HubSettings(limits))
        departures = try DepartureJournal(storage)
        parts = [
            table, installations, schedules, settingsBook, jobs, departures, keyGenerations, sends,
        ]
        ids = NotificationIDMaker()
        ids = NotificationIDMaker(after: try newestID())
        try loadDevices(storage)
        try loadRegistrations(storage, seed: seed, now: now)
        try loadInstallations(storage)
        try storage.forEachSchedule {
            schedules.load(
                $0,
                isInLog: $1 && !limits.planted.has(.scheduleFiredTwice)
            )
        }
        try storage.forEachCancelled { schedules.loadCancelled($0) }
        try storage.forEachJob { jobs.load($0) }
        tickJobs(now: now)
    }

    private func newestID() throws(StoreError) -> NotificationID? {
        guard bounds.head >= bounds.first else { return nil }
        let newest = try reader.records(
            after: bounds.head - 1,
            through: bounds.head,
            limit: 1,
            bytesMax: 0
        )
        return newest.last?.id
    }

    private func loadInstallations(_ storage: any HubStorage) throws(StoreError) {
        try storage.forEachInstallation { installation in
            installations.load(installation)
            if let expires = installation.expires {
                installationExpiry.insert(expires, installation.number)
            }
        }
    }

    private func loadDevices(_ storage: any HubStorage) throws(StoreError) {
        try storage.forEachRevocation { device, generation in
            keyGenerations.set(generation, of: device)
        }
        try storage.forEachCursor { cursor in devices.load(cursor, head: bounds.head) }
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
                actions.append(.event(.undeliverableTemplate(outline.number)))
            }
            table.load(outline, bytes, isUndeliverable: isUndeliverable)
            if let expires = outline.expires { expiry.insert(expires, outline.number) }
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
        return templates.stored(definition, platform: outline.platform) != nil
    }

    // MARK: Queries

    /// The operators' settings, with the changes of the present group.
    package var settings: HubSettings { settingsBook.present }

    /// How many live registrations have a tag, in any spelling; for anchors.
    package func registrationCount(tag: Span<UInt8>) -> Int { table.count(tag: tag) }

    /// The key generation that a device must prove.
    package func keyGeneration(of device: DeviceID) -> UInt32 { keyGenerations[device] }

    /// Devices whose keys were revoked, ascending, with their present generation.
    package var revocations: [(device: DeviceID, generation: UInt32)] {
        keyGenerations.all
    }

    // MARK: Output

    /// Everything to be done since the last call, in order.
    package func takeActions() -> [DirectoryAction] {
        defer { actions.removeAll(keepingCapacity: true) }
        return actions
    }

    /// The place from which changes of the present group hold.
    var nextPlace: LogPlace { LogPlace(epoch: bounds.epoch, sequence: bounds.head + 1) }
}
