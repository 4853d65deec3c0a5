import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Telemetry in the directory, at its limits")
struct DirectoryTelemetryTests {
    private func report(
        _ harness: DirectoryHarness,
        applied: UInt64 = 0,
        counters: [CounterDelta] = [],
        receipts: [DeviceReceipt] = []
    ) {
        harness.directory.receive(
            .progress(
                ProgressReport(
                    shard: 0,
                    applied: applied,
                    appliedAt: harness.now.time,
                    counters: counters,
                    receipts: receipts
                )
            ),
            now: harness.now
        )
        harness.collect()
    }

    private func matched(_ sequence: UInt64, _ count: UInt64 = 1) -> CounterDelta {
        CounterDelta(sequence: sequence, platform: .apple, kind: .matched, count: count)
    }

    private func opened(
        _ id: NotificationID,
        by device: DeviceID = Given.phone,
        slot: UInt16 = 0
    ) -> DeviceReceipt {
        DeviceReceipt(device: device, notification: id, event: 3, slot: slot)
    }

    /// A device with a registration of a platform in slot 0.
    private func register(
        _ harness: DirectoryHarness,
        _ device: DeviceID,
        at number: UInt32 = 1,
        platform: Platform = .apple
    ) throws {
        let session = try harness.attach(device, at: number)
        let content = RegistrationContent(
            platform: platform,
            handle: try harness.handle(device),
            tags: Given.tagSet("a")
        )
        let request = DeviceRequest.register(slot: 0, content, ttlSeconds: 0, ifETag: 0)
        #expect(try harness.request(request, of: session).error == nil)
    }

    private func details(
        _ harness: DirectoryHarness,
        _ id: NotificationID
    ) throws -> NotificationDetails {
        let result = try harness.perform(GetDetails(NotificationName(id: id)))
        let details = try result.get()
        return details
    }

    @Test("the newest notifications have a curve of how old they were when devices told of them")
    func curves() throws {
        var limits = CoreLimits()
        limits.telemetry.curvesMax = 2
        let harness = try DirectoryHarness(limits: limits)
        try register(harness, Given.phone)
        var ids: [NotificationID] = []
        for _ in 0..<3 { ids.append(try harness.perform(Send(Given.draft())).get().id) }
        #expect(try details(harness, ids[2]).curve == nil)
        harness.pass(milliseconds: 4_000)
        for id in ids.reversed() { report(harness, receipts: [opened(id)]) }
        var expected = ReceiptCurve()
        expected.add(.opened, 1, age: 4_000)
        #expect(try details(harness, ids[2]).curve == expected)
        #expect(try details(harness, ids[1]).curve == expected)
        // The third has its place.
        #expect(try details(harness, ids[0]).curve == nil)
        // A receipt that comes again counts no more than in the counters.
        report(harness, receipts: [opened(ids[2])])
        #expect(try details(harness, ids[2]).curve == expected)
    }

    private func opens(_ harness: DirectoryHarness, _ id: NotificationID) throws -> UInt64 {
        try details(harness, id).platforms.first?[.opened] ?? 0
    }

    @Test("counters beyond the limit are dropped and told, those that are there go on")
    func rows() throws {
        var limits = CoreLimits()
        limits.telemetry.telemetryRowsMax = 4
        let harness = try DirectoryHarness(limits: limits)
        report(harness, counters: (1...4).map { matched($0) })
        #expect(!harness.events.contains(.telemetryDropped(1)))
        // Half of the limit: no need to wait for the time.
        #expect(harness.directory.checkpointDue(now: harness.now)?.counters.count == 4)
        report(harness, counters: (1...6).map { matched($0) } + [matched(1)])
        #expect(harness.events.contains(.telemetryDropped(2)))
        let batch = try #require(harness.directory.checkpoint(now: harness.now))
        #expect(batch.counters == [matched(1, 2)] + (2...4).map { matched($0) })
        #expect(batch.number == 2)
    }

    @Test("a repeated receipt does not count while it is remembered")
    func receipts() throws {
        var limits = CoreLimits()
        limits.telemetry.receiptsRemembered = 2
        let harness = try DirectoryHarness(limits: limits)
        let third = DeviceID(high: 9, low: 9)
        for (number, device) in [Given.phone, Given.tablet, third].enumerated() {
            try register(harness, device, at: UInt32(number))
        }
        try harness.send()
        let id = harness.storage.records[0].id
        let receipts = [Given.phone, Given.tablet].map { opened(id, by: $0) }
        report(harness, receipts: receipts + receipts)
        #expect(try opens(harness, id) == 2)
        // A third pushes out the oldest.
        report(harness, receipts: [opened(id, by: third), receipts[0]])
        #expect(try opens(harness, id) == 4)
    }

    @Test("a receipt counts for a slot in which its device could have got the notification")
    func slots() throws {
        let harness = try DirectoryHarness()
        try register(harness, Given.phone)
        try register(harness, Given.tablet, at: 2, platform: .gcm)
        try harness.send()
        let id = harness.storage.records[0].id
        report(harness, receipts: (0..<40).map { opened(id, slot: $0) })
        #expect(try opens(harness, id) == 1)
        // No registration of the platform, no device at all, the slot of a direct send.
        report(harness, receipts: [opened(id, by: Given.tablet)])
        report(harness, receipts: [opened(id, by: DeviceID(high: 9, low: 9))])
        #expect(try opens(harness, id) == 1)
        report(harness, receipts: [opened(id, slot: 0xFFFF)])
        #expect(try opens(harness, id) == 1)
        #expect(!harness.events.contains(.telemetryDropped(1)))
        #expect(harness.events.contains(.receiptsIgnored(39)))
    }

    @Test("a receipt counts only for what was sent to that slot")
    func onlySent() throws {
        let harness = try DirectoryHarness()
        try register(harness, Given.phone)
        for tags in ["a", "b", "!b && a"] {
            var draft = Given.draft()
            draft.target = .tags(try TagExpression(parsing: Array(tags.utf8)))
            _ = try harness.perform(Send(draft))
        }
        var direct = Given.draft()
        direct.target = .handles([try harness.handle(Given.phone)])
        _ = try harness.perform(Send(direct))
        try harness.send()
        try register(harness, Given.tablet, at: 2)
        let ids = harness.storage.records.map(\.id)
        func receipts() -> [DeviceReceipt] {
            ids.flatMap { id in
                [Given.phone, Given.tablet].flatMap { device in
                    [opened(id, by: device), opened(id, by: device, slot: 0xFFFF)]
                }
            }
        }
        report(harness, receipts: receipts())
        #expect(try ids.map { try opens(harness, $0) } == [1, 0, 1, 1, 1])
        #expect(harness.events.contains(.receiptsIgnored(16)))
        // The tags of then count, whatever they are now.
        let session = try harness.attach(Given.phone, at: 3, instance: 1)
        let change = DeviceRequest.tags(
            slot: 0,
            replace: true,
            add: Given.tagSet("b"),
            remove: TagSet(),
            ifETag: 0
        )
        #expect(try harness.request(change, of: session).error == nil)
        let displayed = ids.map {
            DeviceReceipt(device: Given.phone, notification: $0, event: 2, slot: 0)
        }
        report(harness, receipts: displayed)
        #expect(harness.events.contains(.receiptsIgnored(2)))
    }

    @Test("notifications that are not among the newest are found in the log, few for receipts")
    func lookups() throws {
        var limits = CoreLimits()
        limits.telemetry.recentNotificationsMax = 3
        limits.telemetry.receiptLookupsMax = 2
        let harness = try DirectoryHarness(limits: limits)
        try register(harness, Given.phone)
        try register(harness, Given.tablet, at: 2)
        for _ in 0..<20 {
            harness.pass(milliseconds: 5)
            try harness.send()
        }
        let ids = harness.storage.records.map(\.id)
        for (index, id) in ids.enumerated() {
            #expect(try details(harness, id).record.sequence == UInt64(index + 1))
            let beside = NotificationID(high: id.high, low: id.low ^ 1)
            let refusal = try harness.refusal(GetDetails(NotificationName(id: beside)))
            #expect(refusal == .notificationNotFound)
        }
        report(harness, receipts: (0..<4).map { opened(ids[$0]) } + ids[17...].map { opened($0) })
        #expect(
            try ids.map { try opens(harness, $0) } == [1, 1] + Array(repeating: 0, count: 15) + [
                1, 1, 1,
            ]
        )
        #expect(harness.events.contains(.telemetryDropped(2)))
        // What was found once is known: the receipts of other devices cost no search.
        report(harness, receipts: (0..<4).map { opened(ids[$0], by: Given.tablet) })
        #expect(try ids[..<4].map { try opens(harness, $0) } == [2, 2, 1, 1])
        #expect(!harness.events.contains(.telemetryDropped(1)))
        let reopened = try harness.reopened()
        #expect(try details(reopened, ids[19]).record.sequence == 20)
        harness.storage.refuseReads = .unavailable(reason: "away")
        let name = NotificationName(id: ids[0])
        let refusal = try harness.refusal(GetDetails(name))
        #expect(refusal == .storeUnavailable(retryAfterSeconds: 1))
    }

    @Test("counters go when their notification is older than the limit")
    func age() throws {
        var limits = CoreLimits()
        limits.telemetry.telemetryDays = 2
        let harness = try DirectoryHarness(limits: limits)
        for _ in 0..<4 {
            try harness.send()
            harness.pass(milliseconds: 86_400_000)
        }
        report(harness, counters: (1...4).map { matched($0) })
        let batch = try #require(harness.directory.checkpoint(now: harness.now))
        // Exactly two days are not too much.
        #expect(batch.countersFloor == 3)
        try harness.storage.checkpoint(batch)
        #expect(harness.storage.counters.map(\.sequence) == [3, 4])
    }

    @Test("a position far above the cursor is believed without reading the log", arguments: [3, 4])
    func recount(limit: UInt64) throws {
        var limits = CoreLimits()
        limits.devices.recountRecordsMax = limit
        let harness = try DirectoryHarness(limits: limits)
        let first = try harness.attach(Given.phone)
        let content = RegistrationContent(
            platform: .apple,
            handle: try harness.handle(Given.phone),
            tags: Given.tagSet("a")
        )
        _ = try harness.request(
            .register(slot: 0, content, ttlSeconds: 0, ifETag: 0),
            of: first
        )
        try harness.send(4)
        let record = harness.storage.records[3]
        let position = Position(epoch: 7, sequence: 4, check: record.id.check)
        let second = try harness.attach(Given.phone, at: 2, position: position)
        #expect(second.outcome == .resumed)
        #expect(second.start.sequence == 4)
        #expect(second.recountsFrom == (limit == 4 ? 0 : nil))
        // The cursor moves with what is counted, or at once.
        let cursor = harness.movedCursors().first { $0.device == Given.phone }
        #expect(cursor?.acknowledged == (limit == 4 ? 0 : 4))
    }

    @Test(
        "names are read in every spelling",
        arguments: [
            ("0193abcdef007abc8123456789abcdef", nil), ("0193ABCDEF007ABC8123456789ABCDEF", nil),
            ("0193abcd-ef00-7abc-8123-456789abcdef", nil),
            ("0193abcdef007abc8123456789abcdef-20260504065040-17-1", 17),
        ] as [(String, UInt64?)]
    )
    func names(_ text: String, _ sequence: UInt64?) {
        let name = NotificationName(parsing: text.utf8Bytes)
        #expect(name?.id == NotificationID(high: 0x0193_ABCD_EF00_7ABC, low: 0x8123_4567_89AB_CDEF))
        #expect(name?.sequence == sequence)
    }

    @Test(
        "what is no name is none",
        arguments: [
            "", "1", "0193abcdef007abc8123456789abcde", "0193abcdef007abc8123456789abcdeg",
            "0193abcdef007abc8123456789abcdef0", "0193abcdef007abc8123456789abcdef-x-17-1",
            "0193abcdef007abc8123456789abcdef-20260504065040-0-1",
            "0193abcdef007abc8123456789abcdef-20260504065040-17",
            "0193abcdef007abc8123456789abcdef-20260504065040-99999999999999999999-1",
            "0193abcd-ef00-7abc-8123-456789abcde", "-----",
        ]
    )
    func badNames(_ text: String) {
        #expect(NotificationName(parsing: text.utf8Bytes) == nil)
    }

    @Test("who matched and is gone was there; when too many are gone to tell, it is not denied")
    func goneTargets() throws {
        var limits = CoreLimits()
        limits.inspection.matchReadsMax = 2
        let harness = try DirectoryHarness(limits: limits)
        let manage = DirectoryHarness.manage
        func make(_ tag: String) throws -> [UInt8] {
            try harness.create(Given.content("AB", tags: Given.tagSet(tag))).id
        }
        func delete(_ ids: [[UInt8]]) throws {
            for id in ids {
                _ = try harness.perform(DeleteRegistration(id: id, .none, manage)).get()
            }
        }
        func send(_ tag: String) throws -> NotificationID {
            var draft = Given.draft()
            draft.target = .tags(try TagExpression(parsing: Array(tag.utf8)))
            draft.format = .native(.apple)
            _ = try harness.perform(Send(draft)).get()
            let record = try #require(harness.storage.records.last)
            report(harness, applied: record.sequence)
            return record.id
        }
        try delete([try make("early")])
        let (early, early2) = (try send("early"), try make("a"))
        let sent = try send("a")
        let nobody = try send("nobody")
        #expect(try details(harness, early).state == .noTargetFound)
        #expect(try details(harness, sent).state == .completed)
        try delete([early2])
        #expect(try details(harness, sent).state == .completed, "it was there at that place")
        #expect(try details(harness, early).state == .noTargetFound)
        #expect(try details(harness, nobody).state == .noTargetFound)
        let more = try ["x", "y"].map(make)
        let last = try send("nobody")
        try delete(more)
        #expect(try details(harness, last).state == .noTargetFound, "as many as are looked at")
        #expect(try details(harness, nobody).state == .completed, "one more")
    }
}
