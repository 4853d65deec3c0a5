import HubModel
@testable import HubStore
import HubTestSupport
import HubVocabulary
import Testing

@Suite("The journal of cursors")
struct JournalMergingTests {
    /// A store whose journal is merged all the time, in small steps.
    private static func limits() -> StoreLimits {
        var limits = StoreLimits()
        limits.journalBytesMin = 10 * CursorBytes.size
        limits.mergedCursorsPerStep = 30
        return limits
    }

    private static func cursor(
        of device: UInt64,
        _ random: inout SeededGenerator
    ) -> CursorChange {
        let id = DeviceID(high: device, low: 1)
        guard UInt64.random(in: 0..<10, using: &random) > 0 else { return .forget(id) }
        let cursor = StoredCursor(
            device: id,
            acknowledged: UInt64.random(in: 0..<1_000, using: &random),
            scannedThrough: UInt64.random(in: 0..<1_000, using: &random),
            lastSeen: Timestamp(milliseconds: UInt64.random(in: 1..<1_000, using: &random)),
            evaluatedThrough: UInt64.random(in: 0..<1_000, using: &random)
        )
        return .merge(cursor)
    }

    /// A batch of changes, those that forget first, as a checkpoint has them.
    private static func batch(_ number: UInt64, _ changes: [CursorChange]) -> CheckpointBatch {
        var batch = CheckpointBatch(number: number)
        for change in changes {
            switch change {
            case .forget(let device): batch.forgotten.append(device)
            case .merge(let cursor): batch.cursors.append(cursor)
            }
        }
        return batch
    }

    private static func found(_ store: any HubStorage) throws -> [StoredCursor] {
        var found: [StoredCursor] = []
        try store.forEachCursor { found.append($0) }
        return found
    }

    @Test(
        "goes into chunks step by step, and at no moment changes what is read",
        arguments: 1...6
    )
    func model(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = StoreFixture(.sqlite)
        fixture.limits = Self.limits()
        var model: [DeviceID: StoredCursor] = [:]
        let devices = UInt64(seed * 200)
        var store = try fixture.reopen()
        for number in 1...120 {
            let batch = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                Self.cursor(of: UInt64.random(in: 1...devices, using: &random), &random)
            }
            let checkpoint = Self.batch(UInt64(number), batch)
            try store.checkpoint(checkpoint)
            for change in checkpoint.cursorChanges { model.make(change) }
            if number % 5 == 0 {
                let expected = model.values.sorted { $0.device < $1.device }
                #expect(try Self.found(store) == expected, "batch \(number)")
            }
            if number % 17 == 0 { store = try fixture.reopen() }
        }
    }

    @Test("is as small as what it merged into once it was merged")
    func shrinks() throws {
        let fixture = StoreFixture(.sqlite)
        _ = try fixture.reopen()
        fixture.close()
        let state = try StateFile(
            path: fixture.path + "/" + StateFile.name,
            limits: Self.limits()
        )
        var most = 0
        for number in 1...200 as ClosedRange<UInt64> {
            let batch = (0..<20).map { index in
                StoredCursor(
                    device: DeviceID(high: UInt64(index), low: 1),
                    acknowledged: number,
                    scannedThrough: number,
                    lastSeen: Timestamp(milliseconds: number)
                )
            }
            try state.checkpoint(CheckpointBatch(number: number, cursors: batch))
            most = max(most, state.journalBytes)
            let (journal, chunks) = try state.cursorBytes()
            #expect(journal == state.journalBytes && chunks == state.chunkBytes)
        }
        #expect(state.chunkBytes == 20 * CursorBytes.size)
        // What came while it was merged waits for the next time.
        #expect(most <= 3 * 20 * CursorBytes.size)
        state.close()
    }
}
