import HubCluster
import HubModel
import HubPostgres
import HubStore
import HubVocabulary

/// The move of one stopped hub from its files into a database, where nothing of it is yet.
///
/// Groups of the log come first, in their order; then what holds now, cursors, counters and lanes.
/// At the end all of it is read again and compared.
struct HubMove {
    /// Cursors and counters that one checkpoint takes.
    private static let perStep = 4_096

    private let store: SQLiteStore
    private let log: PostgresGroupLog
    private let target: GroupPlace
    private let tell: (String) -> Void
    private var moved: MovedHub
    private var batch: UInt64 = 0

    init(
        _ name: String,
        _ store: SQLiteStore,
        to log: PostgresGroupLog,
        tell: @escaping (String) -> Void
    ) {
        self.store = store
        self.log = log
        self.tell = tell
        target = store.groupPlace
        moved = MovedHub(name: name)
    }

    /// Moves everything.
    ///
    /// - Throws: what both sides throw; `.corrupted` when what is there afterwards differs.
    mutating func run() throws(StoreError) -> MovedHub {
        try moveLog()
        try moveItems()
        try moveCursors()
        try moveCounters()
        try moveLanes()
        guard try found() == moved else {
            throw .corrupted("what the database has differs from the files")
        }
        return moved
    }

    // MARK: The log

    private mutating func moveLog() throws(StoreError) {
        var start = target
        start.epochs = target.epochs.filter { $0.place.sequence <= target.first }
        start.head = target.first - 1
        guard let check = try store.reader.check(at: start.head) else {
            throw .corrupted("the check value below place \(target.first)")
        }
        start.headCheck = check
        try log.restart(at: start)
        for epoch in target.epochs where epoch.place.sequence > target.first {
            try moveRecords(through: epoch.place.sequence - 1)
            try log.begin(epoch)
        }
        try moveRecords(through: target.head)
        // Copies are filled with what holds now: no group has changes.
        var end = target
        end.changesFirst = log.place.feed + 1
        guard log.place.head == target.head, log.place.headCheck == target.headCheck else {
            throw .corrupted("the log ends at \(log.place.head), not at \(target.head)")
        }
        try log.restart(at: end)
    }

    private mutating func moveRecords(through last: UInt64) throws(StoreError) {
        while log.place.head < last {
            let place = log.place
            let records = try store.recordsWithKeys(after: place.head, through: last)
            // Below an epoch there may be places without records.
            guard let first = records.first else { return }
            guard first.sequence == place.head + 1 else {
                throw .corrupted("no record at place \(place.head + 1)")
            }
            var next = place.head
            let whole = records.prefix { record in
                next += 1
                return record.sequence == next
            }
            let group = place.next([], Array(whole))
            try log.append(group, GroupEffect([], head: place.head))
            moved.add(group)
            tell("\(moved.records) notifications")
        }
    }

    // MARK: The rest

    private mutating func moveItems() throws(StoreError) {
        var moved = moved
        try store.forEachItems { items throws(StoreError) in
            try log.fill(items)
            for item in items { moved.add(item) }
            tell("\(moved.items) registrations and other rows")
        }
        self.moved = moved
    }

    private mutating func moveCursors() throws(StoreError) {
        var cursors: [StoredCursor] = []
        try store.forEachCursor { cursors.append($0) }
        for cursor in cursors { moved.add(cursor) }
        for start in stride(from: 0, to: cursors.count, by: Self.perStep) {
            let end = min(start + Self.perStep, cursors.count)
            try checkpoint { $0.cursors = Array(cursors[start..<end]) }
        }
        tell("\(cursors.count) places of devices")
    }

    private mutating func moveCounters() throws(StoreError) {
        var parts: [[CounterDelta]] = [[]]
        try store.forEachCounters { counters throws(StoreError) in
            if parts[parts.count - 1].count >= Self.perStep { parts.append([]) }
            parts[parts.count - 1] += counters
        }
        for part in parts where !part.isEmpty {
            moved.addCounters(of: Set(part.map(\.sequence)).count)
            try checkpoint { $0.counters = part }
        }
    }

    private mutating func moveLanes() throws(StoreError) {
        var lanes: [LaneProgress] = try store.lanes().map { lane in
            LaneProgress(platform: lane.platform, mark: lane.mark, deferred: lane.deferred)
        }
        try store.forEachFailures { platform, failures throws(StoreError) in
            guard let index = lanes.firstIndex(where: { $0.platform == platform }) else { return }
            lanes[index].failures = failures
        }
        guard !lanes.isEmpty else { return }
        try checkpoint { $0.lanes = lanes }
    }

    private mutating func checkpoint(_ fill: (inout CheckpointBatch) -> Void) throws(StoreError) {
        batch += 1
        var next = CheckpointBatch(number: batch, countersFloor: target.countersFloor)
        fill(&next)
        try log.checkpoint(next, reports: NodeReports())
    }

    // MARK: The comparison

    /// The sum of what the database has now.
    private func found() throws(StoreError) -> MovedHub {
        tell("comparing")
        var found = MovedHub(name: moved.name)
        var place = CopyPlace(feed: 0, head: 0, headCheck: 0)
        while let read = try next(after: place) {
            for group in read { found.add(group) }
            guard let last = read.last else { break }
            (place.feed, place.head) = (last.number, last.head)
        }
        _ = try log.reading.items { found.add($0) }
        try log.forEachCursor { found.add($0) }
        guard try log.lanes() == store.lanes() else { throw .corrupted("relays differ") }
        var counted = 0
        try store.forEachCounters { counters throws(StoreError) in
            for sequence in Set(counters.map(\.sequence)) {
                let own = counters.filter { $0.sequence == sequence }
                if try log.counters(of: sequence) == own { counted += 1 }
            }
        }
        found.addCounters(of: counted)
        return found
    }

    private func next(after place: CopyPlace) throws(StoreError) -> [EncodedGroup]? {
        let read = try log.reading.groups(after: place, bytesMax: 4 << 20).groups
        return read.isEmpty ? nil : read
    }
}
