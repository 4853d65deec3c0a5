import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Sessions in the directory")
struct DirectorySessionTests {
    private let native = DeviceRequest.register(
        slot: 0,
        Given.content(""),
        ttlSeconds: 0,
        ifETag: 0
    )

    @Test("a new device starts at the head and leaves no trace until it registers")
    func newDevice() throws {
        let harness = try DirectoryHarness()
        try harness.send(3)
        let session = try harness.attach(Given.phone, isNew: true)
        let check = try #require(harness.storage.records.last?.id.check)
        #expect(session.outcome == .fresh)
        #expect(session.start == Position(epoch: 7, sequence: 3, check: check))
        #expect(session.scannedThrough == 3)
        #expect(session.head == 3)
        harness.directory.receive(
            .detach(device: Given.phone, sessionGeneration: session.sessionGeneration),
            now: harness.now
        )
        #expect(harness.movedCursors().isEmpty)
        let second = try harness.attach(Given.phone)
        _ = try harness.request(native, of: second)
        #expect(harness.movedCursors().map(\.acknowledged) == [3])
    }

    @Test("an attach shows what was stored before it, and comes behind its feed item")
    func attachBehindWrites() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        harness.forget()
        harness.directory.receive(
            .device(
                Given.phone,
                sessionGeneration: session.sessionGeneration,
                session.address,
                reference: 9,
                native
            ),
            now: harness.now
        )
        _ = harness.submit(Send(Given.draft()))
        let request = AttachRequest(
            address: harness.address(2, shard: 1),
            device: Given.phone,
            keyGeneration: 0,
            instance: 1,
            position: .none,
            isNew: false
        )
        harness.directory.receive(.attach(request), now: harness.now)
        harness.run()
        var steps: [String] = []
        for action in harness.actions {
            switch action {
            case .feed(let item): steps.append("feed \(item.changes.count)+\(item.records.count)")
            case .answer: steps.append("reply")
            case .message(let shard, .attached(let reply)):
                steps.append("attached \(shard) \(reply.registrations.count) \(reply.head)")
            case .message(let shard, .outcome(_, let reference, _)):
                steps.append("outcome \(shard) \(reference)")
            case .message(let shard, .takenOver): steps.append("taken over \(shard)")
            default: break
            }
        }
        #expect(
            steps == ["taken over 0", "feed 1+1", "outcome 0 9", "reply", "attached 1 1 1"]
        )
    }

    @Test("a newer connection fences the older one, whose reports no longer count")
    func takeover() throws {
        let harness = try DirectoryHarness()
        let first = try harness.attach(Given.phone, at: 1, instance: 1)
        _ = try harness.request(native, of: first)
        try harness.send(5)
        harness.forget()
        let second = try harness.attach(Given.phone, at: 2, instance: 2)
        #expect(second.sessionGeneration > first.sessionGeneration)
        guard case .takenOver(let address, let generation, let isSame) = harness.messages.first
        else {
            Issue.record("\(harness.messages)")
            return
        }
        #expect(address == first.address)
        #expect(generation == first.sessionGeneration)
        #expect(!isSame)
        _ = harness.movedCursors()
        func report(_ session: AttachReply, _ sequence: UInt64) {
            harness.directory.receive(
                Given.progress(
                    CursorAdvance(
                        device: Given.phone,
                        sessionGeneration: session.sessionGeneration,
                        acknowledged: sequence,
                        scannedThrough: sequence
                    )
                ),
                now: harness.now
            )
        }
        report(first, 4)
        #expect(harness.movedCursors().isEmpty)
        report(second, 3)
        report(second, 2)
        let cursor = try #require(harness.movedCursors().first)
        #expect(cursor.acknowledged == 3)
        harness.directory.receive(
            .detach(device: Given.phone, sessionGeneration: first.sessionGeneration),
            now: harness.now
        )
        report(second, 5)
        #expect(harness.movedCursors().first?.acknowledged == 5)
        harness.collect()
        harness.forget()
        harness.directory.receive(
            .device(
                Given.phone,
                sessionGeneration: first.sessionGeneration,
                first.address,
                reference: 1,
                .unregister(slot: 0)
            ),
            now: harness.now
        )
        harness.run()
        #expect(harness.events == [.staleSession])
        #expect(harness.storage.registrations.count == 1)
    }

    @Test("two instances that keep taking each other over are stopped for a while")
    func quarrel() throws {
        let harness = try DirectoryHarness()
        for number in 1...3 {
            try harness.attach(Given.phone, at: UInt32(number), instance: UInt64(number % 2))
        }
        #expect(throws: Unexpected.self) { try harness.attach(Given.phone, at: 4, instance: 0) }
        guard case .attachRefused(_, let error, let wait) = harness.messages.last else {
            Issue.record("\(harness.messages)")
            return
        }
        #expect(error == .duplicateDevice)
        #expect((60_000...600_000).contains(wait))
        #expect(harness.events.last == .duplicateDevice)
        // The same process coming back is no quarrel, and time heals one.
        try harness.attach(Given.phone, at: 5, instance: 1)
        #expect(throws: Unexpected.self) { try harness.attach(Given.phone, at: 6, instance: 0) }
        harness.pass(milliseconds: 60_000)
        try harness.attach(Given.phone, at: 7, instance: 0)
    }

    @Test("a process that starts again and again is no quarrel. [S-5]")
    func restarts() throws {
        let harness = try DirectoryHarness()
        for number in 1...8 {
            try harness.attach(Given.phone, at: UInt32(number), instance: UInt64(number))
        }
        #expect(!harness.events.contains(.duplicateDevice))
    }

    @Test("of two attaches in one group the later one gets the session")
    func twoAttachesInOneGroup() throws {
        let harness = try DirectoryHarness()
        for number in [UInt32(1), 2] {
            let request = AttachRequest(
                address: harness.address(number),
                device: Given.phone,
                keyGeneration: 0,
                instance: 1,
                position: .none,
                isNew: false
            )
            harness.directory.receive(.attach(request), now: harness.now)
        }
        harness.run()
        let attached = harness.messages.compactMap { message -> ConnectionAddress? in
            if case .attached(let reply) = message { reply.address } else { nil }
        }
        let refused = harness.messages.compactMap { message -> ConnectionAddress? in
            if case .attachRefused(let address, .takenOver, _) = message { address } else { nil }
        }
        #expect(attached == [harness.address(2)])
        #expect(refused == [harness.address(1)])
    }

    @Test("a revoked key opens nothing, and every shard hears of the revocation")
    func revocation() throws {
        let harness = try DirectoryHarness()
        harness.storage.generations[Given.phone] = 2
        let reopened = try harness.reopened()
        #expect(reopened.directory.keyGeneration(of: Given.phone) == 2)
        #expect(throws: Unexpected.self) { try reopened.attach(Given.phone, generation: 1) }
        guard case .attachRefused(_, .deviceRevoked, 0) = reopened.messages.last else {
            Issue.record("\(reopened.messages)")
            return
        }
        try reopened.attach(Given.phone, generation: 2)
        reopened.directory.revoked(Given.phone, generation: 3)
        reopened.collect()
        guard case .broadcast(.revoked(Given.phone, generation: 3)) = reopened.actions.last else {
            Issue.record("\(reopened.actions)")
            return
        }
        #expect(throws: Unexpected.self) { try reopened.attach(Given.phone, generation: 2) }
        // The handle of the old key leads nowhere, that of the new one to the device.
        let old = String(decoding: try reopened.handle(Given.phone, generation: 2), as: UTF8.self)
        let new = String(decoding: try reopened.handle(Given.phone, generation: 3), as: UTF8.self)
        #expect(try reopened.create(Given.content(old)).target == nil)
        #expect(try reopened.create(Given.content(new)).target?.device == Given.phone)
    }

    @Test("a known device goes on where it is, and its position counts as acknowledged")
    func resumes() throws {
        let harness = try DirectoryHarness()
        let first = try harness.attach(Given.phone)
        _ = try harness.request(native, of: first)
        try harness.send(10)
        let records = harness.storage.records
        let position = Position(epoch: 7, sequence: 6, check: records[5].id.check)
        let resumed = try harness.attach(Given.phone, at: 2, position: position)
        #expect(resumed.outcome == .resumed)
        #expect(resumed.start == position)
        #expect(resumed.scannedThrough == 6)
        // The cursor follows when the shard has counted what was stored.
        #expect(resumed.recountsFrom == 0)
        #expect(harness.movedCursors().first?.acknowledged == 0)
        harness.directory.receive(
            Given.progress(
                CursorAdvance(
                    device: Given.phone,
                    sessionGeneration: resumed.sessionGeneration,
                    acknowledged: 6,
                    scannedThrough: 6
                )
            ),
            now: harness.now
        )
        #expect(harness.movedCursors().first?.acknowledged == 6)
        harness.forget()
        let wrong = Position(epoch: 7, sequence: 8, check: records[7].id.check ^ 1)
        let reset = try harness.attach(Given.phone, at: 3, position: wrong)
        #expect(reset.outcome == .reset)
        #expect(reset.start.sequence == 6)
        #expect(harness.events.contains(.historyForkSuspected))
    }

    @Test("cursors survive a restart and move scanning forward for idle devices")
    func cursors() throws {
        let harness = try DirectoryHarness()
        let first = try harness.attach(Given.phone)
        _ = try harness.request(native, of: first)
        try harness.send(10)
        harness.directory.receive(
            Given.progress(
                CursorAdvance(
                    device: Given.phone,
                    sessionGeneration: first.sessionGeneration,
                    acknowledged: 4,
                    scannedThrough: 9
                )
            ),
            now: harness.now
        )
        #expect(harness.directory.checkpointDue(now: harness.now) == nil)
        harness.pass(milliseconds: Hub.checkpointMilliseconds)
        let due = try #require(harness.directory.checkpointDue(now: harness.now))
        #expect(due.cursors.map(\.scannedThrough) == [9])
        harness.directory.checkpointFailed(due, .full)
        #expect(harness.directory.checkpoint(now: harness.now) == due)
        try harness.storage.checkpoint(due)
        let reopened = try harness.reopened()
        let check = harness.storage.records[3].id.check
        let position = Position(epoch: 7, sequence: 4, check: check)
        #expect(try reopened.attach(Given.phone, position: position).scannedThrough == 9)
    }

    @Test("a shard that lost the feed gets every session's present state again")
    func reload() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        let other = try harness.attach(Given.tablet, at: 2)
        _ = try harness.request(native, of: session)
        harness.forget()
        let reloads = [
            DeviceReload(
                device: Given.phone,
                sessionGeneration: session.sessionGeneration,
                address: session.address
            ),
            DeviceReload(
                device: Given.tablet,
                sessionGeneration: other.sessionGeneration + 1,
                address: other.address
            ),
        ]
        harness.directory.receive(.reload(reloads), now: harness.now)
        harness.run()
        guard harness.messages.count == 1, case .attached(let reply) = harness.messages[0] else {
            Issue.record("\(harness.messages)")
            return
        }
        #expect(reply.sessionGeneration == session.sessionGeneration)
        #expect(reply.outcome == .resumed)
        #expect(reply.registrations.count == 1)
    }

    @Test("when the log cannot be read the device is asked to come back")
    func unreadableLog() throws {
        let harness = try DirectoryHarness()
        try harness.send()
        let reopened = try harness.reopened()
        reopened.storage.refuseReads = .unavailable(reason: "away")
        #expect(throws: Unexpected.self) { try reopened.attach(Given.phone) }
        guard case .attachRefused(_, .unavailable, 1_000) = reopened.messages.last else {
            Issue.record("\(reopened.messages)")
            return
        }
        reopened.storage.refuseReads = nil
        let session = try reopened.attach(Given.phone, at: 2)
        #expect(session.outcome == .fresh)
        #expect(!reopened.events.contains(.takenOver(sameInstance: true)))
    }

    @Test("a tag history that was cut above the position is announced as a gap")
    func gap() throws {
        var limits = CoreLimits()
        limits.registrations.formerTagSetsMax = 1
        let harness = try DirectoryHarness(limits: limits)
        let session = try harness.attach(Given.phone)
        for step in 0..<4 {
            _ = try harness.request(
                .register(
                    slot: 0,
                    Given.content("", tags: Given.tagSet("t\(step)")),
                    ttlSeconds: 0,
                    ifETag: 0
                ),
                of: session
            )
            try harness.send()
        }
        let position = Position(epoch: 7, sequence: 0, check: 0)
        let reply = try harness.attach(Given.phone, at: 2, position: position)
        #expect(reply.outcome == .gap)
        #expect(reply.lost == ResumeDecision.lostUnknown)
        let cut = try #require(reply.registrations.first?.historyCut)
        #expect(reply.start.sequence == cut.sequence - 1)
        #expect(reply.start.check == harness.storage.records[Int(cut.sequence) - 2].id.check)
    }

    @Test("a cursor above a lost history is cut down for good, not until the log has grown past it")
    func cutCursor() throws {
        let harness = try DirectoryHarness()
        _ = try harness.create(
            Given.content(String(decoding: harness.handle(Given.phone), as: UTF8.self))
        )
        try harness.send(2)
        harness.storage.cursors[Given.phone] = StoredCursor(
            device: Given.phone,
            acknowledged: 9,
            scannedThrough: 9,
            lastSeen: harness.now.time
        )
        let second = try harness.reopened()
        // Merging by maximum would keep the nine, so the store forgets it first.
        let batch = try #require(second.directory.checkpoint(now: second.now))
        #expect(batch.forgotten == [Given.phone])
        #expect(batch.cursors.map(\.acknowledged) == [2])
        second.storage.cursors[Given.phone]?.acknowledged = 9
        let third = try second.reopened()
        try third.checkpoint()
        #expect(third.storage.cursors[Given.phone]?.acknowledged == 2)
    }
}
