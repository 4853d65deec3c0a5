import Foundation
import Glibc
import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubStore
import HubTags
import HubTemplates
import HubVocabulary
import Synchronization

/// The measurements, each in a folder of its own below `folder`.
struct StoreBench {
    let folder: String

    /// Runs all and prints a line for each figure.
    func run(records: Int, registrations: Int) throws(StoreError) {
        try append()
        try checkpoint()
        try lists(records)
        try start(registrations)
    }

    /// One line: what, the figure, its unit.
    func report(_ what: String, _ value: Double, _ unit: String) {
        let figure = String(format: "%.2f", value)
        print("\(what): \(figure) \(unit)")
    }

    /// CPU seconds of this process so far, all threads.
    static var cpu: Double {
        var time = timespec()
        // The struct is borrowed for the call.
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Bytes of memory that this process has in use.
    static var memory: Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            let digits = line.filter(\.isNumber)
            return (Double(digits) ?? 0) * 1_024
        }
        return 0
    }

    // MARK: Commits

    private func append() throws(StoreError) {
        let store = try SQLiteStore(folder: folder + "/append", epochSeed: 1)
        defer { store.close() }
        let body = [UInt8](repeating: 0x61, count: 2_200)
        var spent = 0.0
        let groups = 400
        for group in 0..<groups {
            let made = (1...128).map { number in
                Self.record(UInt64(group * 128 + number), body: body, anchors: [.everyone])
            }
            let began = Self.cpu
            let result = store.commit(changes: [], records: made)
            spent += Self.cpu - began
            if let error = result.records { throw error }
        }
        report("append, batch 128, 2,200 bytes", spent / Double(groups * 128) * 1e6, "µs CPU")
    }

    private func checkpoint() throws(StoreError) {
        let store = try SQLiteStore(folder: folder + "/checkpoint", epochSeed: 1)
        defer { store.close() }
        var random = SeededRandom(seed: 1)
        var spent = 0.0
        let rounds = 400
        for round in 0..<rounds {
            let cursors = (0..<1_000).map { _ in
                StoredCursor(
                    device: DeviceID(high: random.next() % 1_000_000, low: 7),
                    acknowledged: UInt64(round),
                    scannedThrough: UInt64(round),
                    lastSeen: Timestamp(milliseconds: 1)
                )
            }.sorted { $0.device < $1.device }
            let began = Self.cpu
            // In order, as a hub hands them over.
            try store.checkpoint(CheckpointBatch(number: UInt64(round + 1), cursors: cursors))
            spent += Self.cpu - began
        }
        report("checkpoint, batch 1,000", spent / Double(rounds * 1_000) * 1e6, "µs CPU a cursor")
    }

    // MARK: Lists

    /// How many values each kind of anchor has, and how many of a hundred records it gets: names of
    /// users, topics, places, platforms.
    private static let kinds: [(values: UInt64, share: UInt64)] = [
        (1_000_000, 50), (20_000, 30), (5_000, 15), (1_000, 4), (200, 1),
    ]

    private static func anchor(_ kind: Int, _ value: UInt64) -> AnchorKey {
        AnchorKey(device: DeviceID(high: UInt64(kind) + 1, low: value))
    }

    /// The anchor of a record, by lot.
    private static func anchor(_ random: inout SeededRandom) -> AnchorKey {
        var left = random.next() % 100
        var kind = 0
        while left >= kinds[kind].share {
            left -= kinds[kind].share
            kind += 1
        }
        return anchor(kind, random.next() % kinds[kind].values)
    }

    /// A day of records, and devices that come back.
    private func lists(_ count: Int) throws(StoreError) {
        var random = SeededRandom(seed: 2)
        var limits = StoreLimits()
        limits.clockDoubtMilliseconds = 0
        let path = folder + "/lists"
        var store = try SQLiteStore(folder: path, epochSeed: 1, limits: limits)
        var sealing = 0.0
        for start in stride(from: 0, to: count, by: 4_096) {
            let made = (start + 1...min(count, start + 4_096)).map { number in
                let anchor = number % 6_000 == 0 ? .everyone : Self.anchor(&random)
                return Self.record(
                    UInt64(number),
                    milliseconds: UInt64(number) * 86_400_000 / UInt64(count),
                    body: [],
                    anchors: [anchor]
                )
            }
            if let error = store.commit(changes: [], records: made).records { throw error }
            let began = Self.cpu
            let forEver = RecordRetention(keptSeconds: .max >> 20)
            while try store.tidy(now: Self.now, retention: forEver).hasMore {}
            sealing += Self.cpu - began
        }
        report("sealing", sealing / Double(max(1, count)) * 1e6, "µs CPU a record")
        try ask(store, count, "in memory", &random)
        store.close()
        let before = (cpu: Self.cpu, memory: Self.memory)
        store = try SQLiteStore(folder: path, epochSeed: 1, limits: limits)
        report("opening a log of \(count) records", Self.cpu - before.cpu, "s CPU")
        report(
            "lists in memory",
            (Self.memory - before.memory) / Double(max(1, count)),
            "bytes an entry"
        )
        store.close()
        limits.hotEntriesMax = 0
        store = try SQLiteStore(folder: path, epochSeed: 1, limits: limits)
        try ask(store, count, "from sealed tables", &random)
        store.close()
    }

    private func ask(
        _ store: SQLiteStore,
        _ count: Int,
        _ source: String,
        _ random: inout SeededRandom
    ) throws(StoreError) {
        let head = store.bounds.head
        for (what, longest) in [("10 minutes", count / 144), ("a day", count)] {
            var found = 0
            let rounds = 1_000
            var spent = 0.0
            for _ in 0..<rounds {
                var anchors: Set<AnchorKey> = [.everyone]
                for (kind, tags) in [1, 5, 2, 1, 1].enumerated() {
                    for _ in 0..<tags {
                        anchors.insert(Self.anchor(kind, random.next() % Self.kinds[kind].values))
                    }
                }
                let after = head - random.next() % UInt64(max(1, longest))
                let began = Self.cpu
                let page = try store.reader.candidates(
                    anchors: anchors,
                    after: after,
                    through: head,
                    limit: 10_000
                )
                spent += Self.cpu - began
                found += page.sequences.count
            }
            let each = spent / Double(rounds) * 1e6
            report("away up to \(what), \(source), \(found / rounds) records", each, "µs CPU")
        }
    }

    // MARK: Start

    /// Fills the store of a hub that does not run; each registration has the tag `World` too.
    func fill(_ count: Int) throws(StoreError) {
        let seen = Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        try register(count, folder, sharing: ["World"], seen: seen)
    }

    /// Makes a store with so many registrations, each of a device of its own.
    private func register(
        _ count: Int,
        _ path: String,
        sharing shared: [String] = [],
        seen: Timestamp = Timestamp(milliseconds: Self.began)
    ) throws(StoreError) {
        let store = try SQLiteStore(folder: path, epochSeed: 1)
        let pad = String(repeating: "x", count: 700)
        let template = TemplateDefinition(
            name: [],
            body: Array(#"{"alert":"$(message)","pad":"\#(pad)"}"#.utf8)
        )
        let began = LogPlace(epoch: store.bounds.epoch, sequence: 1)
        for start in stride(from: 0, to: count, by: 4_096) {
            let changes = (start + 1...min(count, start + 4_096)).map { number in
                let own = (0..<10).map { "tag-\($0)-\((number &* ($0 + 7)) % 66_000)" }
                return StoredChange.put(
                    Registration(
                        number: RegistrationNumber(UInt32(number)),
                        id: Array("\(number)-\(number)-1".utf8),
                        version: 1,
                        content: RegistrationContent(
                            platform: .apple,
                            handle: Array(String(format: "%064X", number).utf8),
                            tags: TagSet((own + shared).map { Array($0.utf8) }),
                            template: template
                        ),
                        granted: TagSet([]),
                        target: RegistrationTarget(
                            device: DeviceID(high: 9, low: UInt64(number)),
                            slot: 0
                        ),
                        template: nil,
                        since: began,
                        tagsSince: began
                    )
                )
            }
            if let error = store.commit(changes: changes, records: []).changes { throw error }
            // As a hub does once a second.
            try store.checkpoint(
                CheckpointBatch(
                    number: store.checkpointNumber + 1,
                    cursors: (start + 1...min(count, start + 4_096)).map { number in
                        StoredCursor(
                            device: DeviceID(high: 9, low: UInt64(number)),
                            acknowledged: 0,
                            scannedThrough: 0,
                            lastSeen: seen
                        )
                    }
                )
            )
        }
        store.close()
    }

    private func start(_ count: Int) throws(StoreError) {
        try register(count, path)
        try startAgain()
        try explain(path, devices: count)
    }

    /// The store whose start is measured.
    private var path: String { folder + "/start" }

    /// Opens the store with registrations that is there.
    func startAgain() throws(StoreError) {
        let before = (cpu: Self.cpu, memory: Self.memory)
        let store = try SQLiteStore(folder: path, epochSeed: 1)
        let directory = try self.directory(store)
        let tags = directory.registrationCount(tag: Array("tag-0-7".utf8).span)
        report(
            "start with \(directory.gauges.registrations) registrations",
            Self.cpu - before.cpu,
            "s CPU"
        )
        report(
            "memory of them (\(tags) with one tag)",
            (Self.memory - before.memory) / 1e6,
            "MB"
        )
        store.close()
    }

    /// The directory of a store.
    private func directory(_ store: SQLiteStore) throws(StoreError) -> Hub {
        guard let hub = HubName("bench"),
            let secret = HubSecret([UInt8](repeating: 1, count: 32))
        else { preconditionFailure("a name and a secret as they should be") }
        return try Hub(
            hub: hub,
            secret: secret,
            storage: store,
            limits: CoreLimits(),
            protected: ProtectedTags(listenMaySet: false),
            seed: 1,
            now: Self.now
        )
    }

    // MARK: Explanations

    /// Explanations of a notification that another one replaced, behind very many for other devices
    /// with the same collapse key.
    private func explain(_ path: String, devices: Int) throws(StoreError) {
        let store = try SQLiteStore(folder: path, epochSeed: 1)
        let device = DeviceID(high: 9, low: 1)
        let count = 200_000
        let first = Self.scored(1, for: device)
        for start in stride(from: 0, to: count, by: 4_096) {
            let made = (start + 1...min(count, start + 4_096)).map { number in
                // One for the device at the beginning and one at the end.
                let isOwn = number == 1 || number == count
                let other = DeviceID(high: 9, low: UInt64(2 + number % max(1, devices - 2)))
                return Self.scored(UInt64(number), for: isOwn ? device : other)
            }
            if let error = store.commit(changes: [], records: made).records { throw error }
        }
        var writer = WriterLoop(hub: try directory(store), now: Self.now)
        var answering = PromptStore(storage: store)
        var spent = 0.0
        let rounds = 100
        for _ in 0..<rounds {
            let began = Self.cpu
            let name = NotificationName(id: first.id, sequence: 1)
            let told = Mutex<Explain.Reply?>(nil)
            let question = Explain(name, .device(device))
            let call = question.call { answer in told.withLock { $0 = try? answer.get() } }
            var output = GivenAnswers()
            var mail = [WriterMail.call(call)]
            var rest = WriterRest.waiting(milliseconds: 0)
            while rest == .waiting(milliseconds: 0) {
                rest = writer.turn(mail, store: &answering, output: &output) { Self.now }
                mail = []
            }
            spent += Self.cpu - began
            let explanations = told.withLock { $0 }?.reasons ?? []
            guard case .collapsed? = explanations.first?.reason else {
                throw .unavailable(reason: "not explained: \(explanations)")
            }
        }
        report(
            "explain with \(devices) registrations, replaced behind \(count) with its key",
            spent / Double(rounds) * 1e3,
            "ms CPU"
        )
        store.close()
    }

    private static func scored(_ sequence: UInt64, for device: DeviceID) -> NotificationRecord {
        var draft = NotificationDraft(
            format: .template,
            target: .slots([RegistrationTarget(device: device, slot: 0)]),
            body: Array(#"{"message":"\#(sequence)"}"#.utf8),
            timeToLive: .seconds(604_800)
        )
        draft.collapseKey = Array("score".utf8)
        return NotificationRecord(
            sequence: sequence,
            id: NotificationID(high: began << 16 | 0x7000, low: sequence),
            draft: draft,
            anchors: draft.anchors { _ in 0 }
        )
    }

    // MARK: Samples

    private static let began: UInt64 = 1_763_700_000_000

    private static var now: Now {
        Now(instant: Instant(nanoseconds: 0), time: Timestamp(milliseconds: began))
    }

    private static func record(
        _ sequence: UInt64,
        milliseconds: UInt64 = 0,
        body: [UInt8],
        anchors: [AnchorKey]
    ) -> NotificationRecord {
        NotificationRecord(
            sequence: sequence,
            id: NotificationID(high: (began + milliseconds) << 16 | 0x7000, low: ~sequence),
            draft: NotificationDraft(
                format: .native(.apple),
                target: .broadcast,
                body: body,
                timeToLive: .seconds(604_800)
            ),
            anchors: anchors
        )
    }
}

/// Gives answers, and drops all else that a writer says.
private struct GivenAnswers: WriterOutput {
    func perform(_ action: DirectoryAction) {
        if case .answer(let answer) = action { answer.give() }
    }
}
