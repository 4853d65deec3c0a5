import HubDirectory
@testable import HubHarness
@testable import HubMemory
import HubModel
import HubTestSupport
import HubVocabulary
import Synchronization
import Testing

/// Everything that a hub knows of cursors, by device.
private struct AllCursors: HubQuestion {
    func answer(_ hub: HubView) -> [StoredCursor] {
        var all: [StoredCursor] = []
        var place: Int? = 0
        while let start = place {
            place = hub.devices.forEachCursor(from: start, looking: 16) { cursor in
                all.append(cursor)
                return true
            }
        }
        return all.sorted { $0.device < $1.device }
    }
}

@Suite("Cursors that follow another node's hub")
struct WarmCursorsTests {
    private static let devices = (1...40 as ClosedRange<UInt64>).map { DeviceID(high: 7, low: $0) }

    private static func batch(
        _ number: UInt64,
        _ random: inout SeededGenerator
    ) -> CheckpointBatch {
        func some(_ count: Int) -> [DeviceID] {
            devices.filter { _ in random.below(40) < count }
        }
        return CheckpointBatch(
            number: number,
            forgotten: some(2),
            cursors: some(9).map { device in
                // Some are above the head, which is 10.
                StoredCursor(
                    device: device,
                    acknowledged: UInt64(random.below(14)),
                    scannedThrough: UInt64(random.below(14)),
                    lastSeen: Timestamp(milliseconds: UInt64(random.below(1_000))),
                    evaluatedThrough: UInt64(random.below(14))
                )
            }
        )
    }

    private static func look(_ cursors: WarmCursors, _ storage: MemoryStore) {
        if let mark = cursors.mark,
            case .changes(let changes, let last) = storage.cursorJournal(behind: mark)
        {
            return cursors.take(changes, through: last)
        }
        cursors.forget()
        storage.forEachCursor { cursors.load($0) }
        if let last = storage.disk.contents.withLock(\.progress.journal.last) {
            cursors.finish(at: last)
        }
    }

    /// Everything that a hub knows of devices when it begins.
    private struct Seen: Equatable {
        var cursors: [StoredCursor]
        var gauges: DirectoryGauges
        var stored: CheckpointBatch?

        init(_ harness: DirectoryHarness) throws {
            cursors = try harness.perform(AllCursors()).get()
            gauges = harness.directory.gauges
            stored = harness.directory.checkpoint(now: harness.now)
        }
    }

    @Test(
        "are the cursors that are read from the store, however seldom they looked",
        arguments: UInt64(1)...40
    )
    func follow(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let harness = try DirectoryHarness(seed: seed)
        try harness.send(10)
        let warm = WarmDirectory(seed: seed)
        warm.finish(at: 0)
        let first = harness.storage.checkpointNumber
        for number in 1...30 as ClosedRange<UInt64> {
            try harness.storage.checkpoint(Self.batch(first + number, &random))
            if random.below(8) == 0 { Self.look(warm.warmCursors, harness.storage) }
        }
        let cold = try Seen(DirectoryHarness(storage: harness.storage, seed: 9))
        let next = try DirectoryHarness(storage: harness.storage, warm: warm, seed: 9)
        #expect(try Seen(next) == cold, "seed \(seed)")
        // They belong to the hub, or could not be used.
        #expect(warm.warmCursors.mark == nil)
    }
}
