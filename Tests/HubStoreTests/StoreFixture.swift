import Foundation
import HubMemory
import HubModel
import HubStore
import HubTags
import HubTemplates
import HubTestSupport
import HubVocabulary
import Testing

/// The stores that must keep the same promises.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case sqlite
    /// SQLite with slices of a few records, sealed whenever the store is opened.
    case sliced
    /// The model of a database with a copy in SQLite.
    case cluster
    /// PostgreSQL with a copy in SQLite.
    case postgres

    static var allCases: [StoreKind] {
        let all: [StoreKind] = [.memory, .sqlite, .sliced, .cluster]
        return TemporaryPostgres.isInstalled ? all + [.postgres] : all
    }

    var testDescription: String { rawValue }
}

/// A place for one store, opened as often as a test likes; its folder goes with it.
final class StoreFixture {
    let kind: StoreKind
    let folder: String
    /// Limits of the store from the next opening on.
    var limits = StoreLimits()
    private var disk = MemoryDisk()
    private let database = MemoryDatabase()
    private let hub = PostgresHubs.name()
    private var open: (any HubStorage)?

    init(_ kind: StoreKind = .sqlite) {
        self.kind = kind
        let name = "belfry-store-\(UUID().uuidString)"
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        limits.clockDoubtMilliseconds = 0
        guard kind == .sliced else { return }
        limits.sliceRecordsMax = 3
        limits.rowsPerStep = 4
        limits.openSlicesMax = 2
        limits.hotEntriesMax = 12
        limits.anchorsPerLook = 2
    }

    deinit {
        open?.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Where the SQLite files lie.
    var path: String { folder + "/hubs/news" }

    /// Closes the store if it is open, and opens it again.
    func reopen(epoch: UInt64 = 7) throws -> any HubStorage {
        close()
        let store: any HubStorage
        switch kind {
        case .memory:
            // As the simulator opens it: nothing is shared with the store before.
            disk = disk.copy()
            store = MemoryStore(disk: disk, newEpoch: epoch)
        case .sqlite: store = try SQLiteStore(folder: path, epochSeed: epoch, limits: limits)
        case .sliced:
            store = try SQLiteStore(folder: path, epochSeed: epoch, limits: limits)
            // At the beginning of time: nothing has expired.
            while try store.tidy(now: .at(0), keptSeconds: 0).hasMore {}
        case .cluster:
            store = try ClusterStore(
                groups: database.lead(),
                folder: path,
                epochSeed: epoch,
                limits: limits
            )
        case .postgres:
            store = try ClusterStore(
                groups: try PostgresHubs.lead(hub),
                folder: path,
                epochSeed: epoch,
                limits: limits
            )
        }
        open = store
        return store
    }

    func close() {
        open?.close()
        open = nil
    }
}

extension Now {
    /// Both clocks at as many milliseconds.
    static func at(_ milliseconds: UInt64) -> Now {
        Now(
            instant: Instant(nanoseconds: milliseconds &* 1_000_000),
            time: Timestamp(milliseconds: milliseconds)
        )
    }
}

extension StoreFixture {
    /// Names of the log's files, ascending.
    func slices() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasPrefix("log-") && $0.hasSuffix(".sqlite") }.sorted()
    }

    /// The files as a process would find them that starts now, if this one were killed.
    func copyAsKilled() throws -> StoreFixture {
        let copy = StoreFixture(kind)
        copy.limits = limits
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: copy.path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // The index in shared memory dies with the machine; a new process makes another one.
        for name in try manager.contentsOfDirectory(atPath: path) where !name.hasSuffix("-shm") {
            try manager.copyItem(atPath: path + "/" + name, toPath: copy.path + "/" + name)
        }
        return copy
    }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

enum Sample {
    /// A registration with every part it can have.
    static func registration(
        _ number: UInt32,
        id: String? = nil,
        tags: [String] = ["World", "sports"],
        sequence: UInt64 = 1
    ) -> Registration {
        let place = LogPlace(epoch: 7, sequence: sequence)
        var content = RegistrationContent(
            platform: .windows,
            handle: "https://push.example/\(number)".bytes,
            tags: TagSet(tags.map(\.bytes)),
            template: TemplateDefinition(
                name: "big".bytes,
                body: "<toast>$(m)</toast>".bytes,
                expiry: "0".bytes,
                headers: [NamedValue(name: "X-WNS-Type".bytes, value: "wns/toast".bytes)]
            )
        )
        content.pushVariables = [NamedValue(name: "nick".bytes, value: "Mara".bytes)]
        content.secondaryTileName = "tile".bytes
        return Registration(
            number: RegistrationNumber(number),
            id: (id ?? "1-\(number)-1").bytes,
            version: 3,
            content: content,
            granted: TagSet(["username:mara".bytes]),
            target: RegistrationTarget(
                device: DeviceID(high: .max, low: UInt64(number)),
                slot: 0x0100
            ),
            template: nil,
            since: place,
            tagsSince: place,
            formerTags: [FormerTags(tags: TagSet(["old".bytes]), until: place)],
            historyCut: place,
            expires: Timestamp(milliseconds: .max)
        )
    }

    /// An installation whose document is none: stores do not look.
    static func installation(_ number: UInt32, id: String? = nil, text: String = "{}")
        -> Installation
    {
        Installation(
            number: InstallationNumber(number),
            id: (id ?? "I-\(number)").bytes,
            platform: .browser,
            text: text.bytes,
            isGranted: number % 2 == 0,
            expires: number % 3 == 0 ? Timestamp(milliseconds: .max) : nil
        )
    }

    /// A record whose id says its sequence number and `salt`.
    static func record(
        _ sequence: UInt64,
        salt: UInt64 = 0,
        bytes: Int = 40
    ) -> NotificationRecord {
        let body = "{\"n\":\"\(String(repeating: "x", count: max(0, bytes - 8)))\"}"
        return NotificationRecord(
            sequence: sequence,
            id: NotificationID(high: 0xFFFF_0000_0000_7000 | sequence << 16, low: ~sequence ^ salt),
            draft: NotificationDraft(
                format: .native(.apple),
                target: .handles(["AB".bytes, "CD".bytes]),
                body: body.bytes,
                headers: [NamedValue(name: "apns-topic".bytes, value: "x".bytes)],
                timeToLive: .seconds(60),
                collapseKey: "k".bytes
            )
        )
    }

    static func records(_ range: ClosedRange<UInt64>, salt: UInt64 = 0) -> [NotificationRecord] {
        range.map { record($0, salt: salt) }
    }

    /// A row of the journal; without an installation when its number is even.
    static func departure(_ number: UInt64, time: UInt64? = nil) -> DepartureRow {
        DepartureRow(
            number: number,
            time: Timestamp(milliseconds: time ?? 1_763_700_000_000 + number),
            cause: DepartureCause.allCases[Int(number) % 4],
            platform: .fcmV1,
            handle: "handle-\(number)".bytes,
            registration: "1-\(number)-1".bytes,
            installation: number.isMultiple(of: 2) ? nil : "I-\(number)".bytes
        )
    }

    static func cursor(
        _ device: UInt64,
        _ acknowledged: UInt64,
        _ scanned: UInt64,
        _ seen: UInt64
    ) -> StoredCursor {
        StoredCursor(
            device: DeviceID(high: device, low: ~device),
            acknowledged: acknowledged,
            scannedThrough: scanned,
            lastSeen: Timestamp(milliseconds: seen),
            evaluatedThrough: scanned
        )
    }

    static func delta(
        _ sequence: UInt64,
        _ platform: Platform?,
        _ kind: TelemetryKind,
        _ count: UInt64
    ) -> CounterDelta {
        CounterDelta(sequence: sequence, platform: platform, kind: kind, count: count)
    }

    static func deferredRow(_ sequence: UInt64, _ registration: UInt32) -> DeferredRow {
        DeferredRow(
            sequence: sequence,
            registration: registration,
            attempt: 2,
            due: Timestamp(milliseconds: 5_000),
            expires: Timestamp(milliseconds: .max)
        )
    }

    static func relayFailure(_ sequence: UInt64, _ registration: UInt32) -> RelayFailure {
        RelayFailure(
            sequence: sequence,
            registration: registration,
            outcome: .badChannel,
            reason: "BadDeviceToken",
            time: Timestamp(milliseconds: 7_000)
        )
    }
}

extension HubStorage {
    /// Checkpoints cursors alone, as the next batch.
    func checkpoint(forgetting gone: [DeviceID] = [], _ cursors: [StoredCursor]) throws {
        let number = checkpointNumber + 1
        try checkpoint(CheckpointBatch(number: number, forgotten: gone, cursors: cursors))
    }

    /// Checkpoints counters alone, as the next batch.
    func checkpoint(_ counters: [CounterDelta], floor: UInt64 = 0) throws {
        try checkpoint(
            CheckpointBatch(
                number: checkpointNumber + 1,
                counters: counters,
                countersFloor: floor
            )
        )
    }
}

/// What a store holds, in a form that can be compared.
struct Contents: Equatable {
    var bounds: LogBounds
    var numberMax: UInt32
    var registrations: [[UInt8]] = []
    var deleted: [[UInt8]] = []
    var installations: [Installation] = []
    var records: [[UInt8]] = []
    var checks: [UInt32?] = []
    var cursors: [StoredCursor] = []
    var revocations: [DeviceID: UInt32] = [:]
    var counters: [CounterDelta] = []
    var checkpoint: UInt64 = 0
    var schedules: [[UInt8]] = []
    var keys: [StoredKey] = []
    var departures: [DepartureRow] = []
    var lanes: [StoredLane] = []
    var relayFailures: [RelayFailure] = []

    init(of store: any HubStorage) throws {
        bounds = store.bounds
        numberMax = store.registrationNumberMax
        try store.forEachRegistration { registrations.append(RegistrationCodec.encode($0)) }
        for number in 1..<numberMax + 1 {
            let sample = Sample.registration(number)
            for gone in try store.deletedRegistrations(id: sample.id) {
                deleted.append(RegistrationCodec.encode(gone))
            }
        }
        try store.forEachInstallation { installations.append($0) }
        let read = try store.reader.records(
            after: 0,
            through: .max,
            limit: .max,
            bytesMax: .max
        )
        records = read.map { "\($0.sequence):".bytes + NotificationCodec.encode($0) }
        let sequences = Self.sequences(of: bounds)
        for sequence in sequences { checks.append(try store.reader.check(at: sequence)) }
        try store.forEachCursor { cursors.append($0) }
        try store.forEachRevocation { revocations[$0] = $1 }
        for sequence in sequences {
            counters += try store.counters(of: sequence)
            relayFailures += try store.relayFailures(of: sequence, platform: .apple)
        }
        lanes = try store.lanes()
        checkpoint = store.checkpointNumber
        try store.forEachSchedule { schedules.append(ScheduleCodec.encode($0) + [$1 ? 1 : 0]) }
        keys = try store.newestKeys(limit: .max)
        departures = try store.departures(from: 0, limit: .max)
    }

    /// What a script of the tests can have given; an epoch begins a million behind the one before.
    private static func sequences(of bounds: LogBounds) -> [UInt64] {
        let starts = [0] + bounds.epochs.map(\.sequence)
        let near = starts.flatMap { Array($0..<min($0 + 1_000, bounds.head + 2)) }
        return Set(near).union([bounds.head, bounds.head + 1]).sorted()
    }
}
