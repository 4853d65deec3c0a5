import HubCluster
import HubHarness
import HubModel
import HubTestSupport
import HubVocabulary
import Testing

private func decode(_ bytes: [UInt8]) -> Result<[StoredChange], RecordProblem> {
    do throws(RecordProblem) {
        return .success(try GroupCodec.changes(in: bytes.span))
    } catch { return .failure(error) }
}

private func decode(
    _ bytes: [UInt8],
    from first: UInt64
) -> Result<[NotificationRecord], RecordProblem> {
    do throws(RecordProblem) {
        return .success(try GroupCodec.records(in: bytes.span, from: first))
    } catch { return .failure(error) }
}

extension Result {
    /// Why it failed; nil when it did not.
    fileprivate var problem: Failure? {
        if case .failure(let problem) = self { problem } else { nil }
    }
}

@Suite("Groups as bytes")
struct GroupCodecTests {
    @Test(
        "changes of every kind read back as they were written",
        arguments: 0..<60 as Range<UInt64>
    )
    func changes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let original = try random.changes()
        let bytes = GroupCodec.encode(original, check: 5)
        let read = try decode(bytes).get()
        #expect(read.count == original.count, "seed \(seed)")
        #expect(GroupCodec.encode(read, check: 5) == bytes, "seed \(seed)")
        // What they do is the same too: so nothing was left out when they were written.
        #expect(GroupEffect(read, head: 9) == GroupEffect(original, head: 9), "seed \(seed)")
        for (left, right) in zip(read, original) {
            guard case .putSchedule(let left) = left, case .putSchedule(let right) = right else {
                continue
            }
            #expect(left.draft.idempotency == right.draft.idempotency, "seed \(seed)")
        }
    }

    @Test("records read back with keys, schedules and anchors", arguments: 0..<60 as Range<UInt64>)
    func records(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let first = 1 + random.next() % 1_000
        let original = try random.records(random.below(6), from: first)
        let bytes = GroupCodec.encode(original, checkBelow: 77)
        let read = try decode(bytes, from: first).get()
        #expect(GroupCodec.encode(read, checkBelow: 77) == bytes, "seed \(seed)")
        #expect(read.map(\.sequence) == original.map(\.sequence), "seed \(seed)")
        #expect(read.map(\.id) == original.map(\.id), "seed \(seed)")
        #expect(read.map(\.schedule) == original.map(\.schedule), "seed \(seed)")
        #expect(read.map(\.anchors) == original.map(\.anchors), "seed \(seed)")
        #expect(read.map(\.storedKey) == original.map(\.storedKey), "seed \(seed)")
        #expect(read.map(NotificationCodec.encode) == original.map(NotificationCodec.encode))
    }

    @Test("bytes that end anywhere are refused as truncated", arguments: 0..<2 as Range<UInt64>)
    func truncated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let changes = GroupCodec.encode(try random.changes(), check: 1)
        let records = GroupCodec.encode(try random.records(3, from: 1), checkBelow: 0)
        for count in 0..<changes.count {
            guard case .truncated = decode(Array(changes[..<count])).problem else {
                Issue.record("seed \(seed), \(count) of \(changes.count) bytes of changes")
                return
            }
        }
        for count in 0..<records.count {
            guard case .truncated = decode(Array(records[..<count]), from: 1).problem else {
                Issue.record("seed \(seed), \(count) of \(records.count) bytes of records")
                return
            }
        }
    }

    @Test("bytes that no encoder writes are refused by a name")
    func refused() throws {
        var random = SeededGenerator(seed: 1)
        let changes = GroupCodec.encode([.removeSchedule(ScheduleID(high: 1, low: 2))], check: 1)
        #expect(decode(changes + [0]).problem == .trailingBytes(at: changes.count))
        #expect(decode([2] + changes.dropFirst()).problem == .unknownFormat(2))
        var other = changes
        for kind in [0, 14, 255] as [UInt8] {
            other[9] = kind
            #expect(decode(other).problem == .badField("kind"))
        }
        let records = GroupCodec.encode(try random.records(2, from: 5), checkBelow: 3)
        #expect(decode(records + [0], from: 5).problem == .trailingBytes(at: records.count))
        #expect(decode([9] + records.dropFirst(), from: 5).problem == .unknownFormat(9))
        #expect(decode(records, from: 0).problem == .badField("first"))
        #expect(decode(records, from: .max).problem == .badField("first"))
        var check = records
        check[12] ^= 1
        #expect(decode(check, from: 5).problem == .badField("check"))
        let bare = GroupCodec.encode([try random.record()], checkBelow: 3)
        #expect(decode(bare.dropLast() + [4], from: 1).problem == .badField("parts"))
    }

    @Test("any change of stored bytes is told by the checksum", arguments: 0..<4 as Range<UInt64>)
    func damaged(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let records = try #require(
            EncodedRecords(try random.records(2, from: 8), checkBelow: 6)
        )
        let changes = try #require(
            EncodedChanges(try random.changes(), headBefore: 9, checkBefore: 3)
        )
        func isSound(_ bytes: [UInt8], from first: UInt64 = 8, of number: UInt64 = 4) -> Bool {
            let sum = records.checksum(of: 4)
            let read = try? EncodedRecords(stored: bytes, from: first, of: number, checksum: sum)
            return read == records
        }
        func isSound(_ bytes: [UInt8], number: UInt64, head: UInt64) -> Bool {
            let sum = changes.checksum(of: 4)
            let read = try? EncodedChanges(
                stored: bytes,
                of: number,
                headBefore: head,
                checksum: sum
            )
            return read == changes
        }
        #expect(isSound(records.bytes) && isSound(changes.bytes, number: 4, head: 9))
        #expect(changes.checkBefore == 3)
        #expect(records.last == 9 && records.count == 2 && records.checkBelow == 6)
        #expect(try records.check == records.decoded()[1].id.check)
        #expect(!isSound(records.bytes, from: 9) && !isSound(records.bytes, of: 5))
        #expect(!isSound(changes.bytes, number: 5, head: 9))
        #expect(!isSound(changes.bytes, number: 4, head: 8))
        for _ in 0..<300 {
            var (one, other) = (records.bytes, changes.bytes)
            one[random.below(one.count)] ^= 1 << UInt8(random.below(8))
            other[random.below(other.count)] ^= 1 << UInt8(random.below(8))
            #expect(!isSound(one) && !isSound(other, number: 4, head: 9), "seed \(seed)")
        }
    }

    @Test("changes with no place behind them are refused")
    func noPlaceBehind() throws {
        var random = SeededGenerator(seed: 1)
        let last = UInt64.max
        let made = EncodedChanges(try random.changes(), headBefore: last, checkBefore: 3)
        let changes = try #require(made)
        #expect(throws: RecordProblem.badField("head")) {
            try EncodedChanges(
                stored: changes.bytes,
                of: 4,
                headBefore: last,
                checksum: changes.checksum(of: 4)
            )
        }
    }

    @Test("of random bytes never trap", arguments: 0..<300 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = [GroupCodec.format, 0, 0, 0, 1, 0, 0, 0, 0] + random.bytes(random.below(200))
        if case .success(let read) = decode(bytes) {
            #expect(!GroupCodec.encode(read, check: 0).isEmpty, "seed \(seed)")
        }
        if case .success(let read) = decode(bytes, from: 3) {
            #expect(read.count == 1, "seed \(seed)")
        }
    }
}
