import HubCluster
import HubHarness
import HubModel
import HubTestSupport
import HubVocabulary
import Testing

@Suite("The place of a group log")
struct GroupPlaceTests {
    private func place() -> GroupPlace {
        var place = GroupPlace()
        place.fence = 3
        place.feed = 10
        place.head = 20
        place.headCheck = 5
        place.numberMax = 8
        place.checkpoint = 6
        place.epochs = [GroupEpoch(place: LogPlace(epoch: 1, sequence: 1), checkBelow: 0)]
        return place
    }

    private func group(_ seed: UInt64, records: Int) throws -> (EncodedGroup, GroupEffect) {
        var random = SeededGenerator(seed: seed)
        let records = try random.records(records, from: 21)
        var settings = HubSettings(.standard)
        settings.purgedThrough = 99
        let changes: [StoredChange] = [.putSettings(settings)]
        let group = place().next(changes, records)
        return (group, GroupEffect(changes, head: 20))
    }

    private func read(_ bytes: [UInt8]) throws(RecordProblem) -> NodeReports {
        try NodeReports(stored: bytes.span)
    }

    @Test("a group moves number, head and check, and purges up to the head before it")
    func behindGroup() throws {
        let (group, effect) = try group(1, records: 2)
        let after = place().behind(group, effect)
        #expect(after.feed == 11 && after.head == 22 && after.purged == 20)
        #expect(after.headCheck == group.records?.check && after.numberMax == 8)
        #expect(group.headBefore == 20)
        let (changesOnly, _) = try self.group(1, records: 0)
        let still = place().behind(changesOnly, effect)
        #expect(still.head == 20 && still.headCheck == 5 && changesOnly.headBefore == 20)
        #expect(changesOnly.checkBefore == 5 && group.checkBefore == 5)
        #expect(group.changes?.headBefore == 20 && group.head == after.head)
    }

    @Test("a doubt is settled by fence, number and check")
    func verdicts() throws {
        let before = place()
        let (group, effect) = try group(1, records: 1)
        let after = before.behind(group, effect)
        #expect(before.verdict(of: after, on: group, effect) == .stored)
        #expect(before.verdict(of: before, on: group, effect) == .missing)
        var found = after
        found.fence += 1
        #expect(before.verdict(of: found, on: group, effect) == .fenced)
        // The same number with another content: not what this leader wrote.
        found = after
        found.headCheck ^= 1
        #expect(before.verdict(of: found, on: group, effect) == .otherHistory)
        found = before
        found.feed -= 1
        #expect(before.verdict(of: found, on: group, effect) == .otherHistory)
    }

    @Test("a checkpoint in doubt is settled by its number")
    func checkpointVerdicts() {
        let before = place()
        let reports = NodeReports(["a": 4])
        let after = before.behind(CheckpointBatch(number: 7, countersFloor: 2), reports)
        #expect(after.checkpoint == 7 && after.countersFloor == 2 && after.reports == reports)
        #expect(before.verdict(of: after, onCheckpoint: 7) == .stored)
        #expect(before.verdict(of: before, onCheckpoint: 7) == .missing)
        var found = before
        found.checkpoint = 4
        #expect(before.verdict(of: found, onCheckpoint: 7) == .otherHistory)
        found.fence = 9
        #expect(before.verdict(of: found, onCheckpoint: 7) == .fenced)
    }

    @Test("an epoch begins above a hole, in place of one that has no record")
    func epochs() {
        let second = GroupEpoch(place: LogPlace(epoch: 2, sequence: 31), checkBelow: 9)
        let after = place().behind(second)
        #expect(after.head == 30 && after.headCheck == 9 && after.first == 1)
        #expect(after.epochs.map(\.place.epoch) == [1, 2])
        let third = GroupEpoch(place: LogPlace(epoch: 3, sequence: 31), checkBelow: 9)
        #expect(after.behind(third).epochs.map(\.place.epoch) == [1, 3])
        let fresh = GroupPlace().behind(second)
        #expect(fresh.first == 31 && fresh.bounds?.first == 31 && fresh.bounds?.head == 30)
        #expect(GroupPlace().bounds == nil)
    }

    @Test("reports of nodes read back; a node twice or cut bytes are refused")
    func reports() throws {
        let reports = NodeReports(["b": 7, "a": .max, "ü": 0])
        let bytes = reports.bytes
        #expect(try read(bytes) == reports)
        #expect(try read([]) == NodeReports())
        for count in 1..<bytes.count {
            #expect(throws: RecordProblem.self) {
                try read(Array(bytes[..<count]))
            }
        }
        let one = NodeReports(["a": 1]).bytes
        let twice = [1, 0, 2] + one.dropFirst(3) + one.dropFirst(3)
        #expect(throws: RecordProblem.badField("node")) {
            try read(Array(twice))
        }
    }
}
