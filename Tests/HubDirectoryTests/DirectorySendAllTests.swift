import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubTags
import HubVocabulary
import Testing

@Suite("Many sends of one command")
struct DirectorySendAllTests {
    private static func drafts(_ range: Range<Int>) -> [NotificationDraft] {
        range.map { Given.draft("{\"n\":\($0)}") }
    }

    private static func outcomes(
        _ result: Result<[Result<AcceptedSend, Refusal>], Refusal>?
    ) throws -> [Result<AcceptedSend, Refusal>] {
        guard case .success(let outcomes) = result else {
            throw Unexpected(what: "\(String(describing: result))")
        }
        return outcomes
    }

    @Test(
        "get their places in order, in as few groups as hold them",
        arguments: [1, 128, 129, 300]
    )
    func order(count: Int) throws {
        let harness = try DirectoryHarness()
        let token = harness.submit(SendAll(Self.drafts(0..<count)))
        var groups: [Int] = []
        while let group = harness.directory.nextGroup(now: harness.now) {
            groups.append(group.records.count)
            harness.collect()
            #expect(token.count == 0, "answered before it was durable")
            let result = harness.storage.commit(changes: group.changes, records: group.records)
            harness.directory.committed(group, result, now: harness.now)
        }
        harness.collect()
        #expect(groups.count == (count + 127) / 128, "\(groups)")
        #expect(token.count == 1)
        let accepted = try Self.outcomes(token.reply).map { try $0.get() }
        #expect(accepted.map(\.sequence) == Array(1...UInt64(count)))
        let records = harness.storage.records
        #expect(records.map(\.id) == accepted.map(\.id))
        #expect(records.map(\.draft.body) == Self.drafts(0..<count).map(\.body))
    }

    @Test("let what others ask have its turn between their groups")
    func turns() throws {
        let harness = try DirectoryHarness()
        let first = harness.submit(Send(Given.draft("first")))
        let many = harness.submit(SendAll(Self.drafts(0..<300)))
        let second = harness.submit(Send(Given.draft("second")))
        let group = try #require(harness.directory.nextGroup(now: harness.now))
        let third = harness.submit(Send(Given.draft("third")))
        let result = harness.storage.commit(changes: group.changes, records: group.records)
        harness.directory.committed(group, result, now: harness.now)
        harness.run()
        for token in [first, many, second, third] as [any AnyAsked] { #expect(token.count == 1) }
        let bodies = harness.storage.records.map {
            String(decoding: $0.draft.body, as: UTF8.self)
        }
        let own = (0..<300).map { "{\"n\":\($0)}" }
        var expected = ["first"]
        expected += own[..<127]
        expected += ["second", "third"]
        expected += own[127...]
        #expect(bodies == expected)
    }

    @Test("are refused from the group on that the store refuses, and leave no trace")
    func refused() throws {
        let harness = try DirectoryHarness()
        let token = harness.submit(SendAll(Self.drafts(0..<300)))
        let first = try #require(harness.directory.nextGroup(now: harness.now))
        let result = harness.storage.commit(changes: first.changes, records: first.records)
        harness.directory.committed(first, result, now: harness.now)
        let second = try #require(harness.directory.nextGroup(now: harness.now))
        let later = harness.submit(Send(Given.draft("later")))
        let full = CommitResult(records: .full)
        harness.directory.committed(second, full, now: harness.now)
        harness.run()
        let outcomes = try Self.outcomes(token.reply)
        #expect(outcomes.count == 300)
        for (index, outcome) in outcomes.enumerated() {
            switch outcome {
            case .success(let send): #expect(index < 128 && send.sequence == UInt64(index) + 1)
            case .failure(let refusal): #expect(index >= 128 && refusal == .storeFull)
            }
        }
        // The numbers of what was refused go to what comes later.
        #expect(try #require(later.reply).get().sequence == 129)
        #expect(harness.storage.records.count == 129)
    }

    @Test("with keys are the same notifications when they come again, also within one command")
    func repeated() throws {
        let harness = try DirectoryHarness()
        let drafts = [
            Given.keyed(1), Given.keyed(2), Given.keyed(1), Given.keyed(1, "{ }"), Given.draft(),
        ]
        let first = try Self.outcomes(harness.perform(SendAll(drafts)))
        #expect(harness.storage.records.count == 3)
        #expect(first[0] == first[2] && first[0] != first[1])
        #expect(first[3] == .failure(.idempotencyConflict))
        let second = try Self.outcomes(harness.perform(SendAll(drafts)))
        #expect(second[..<4] == first[..<4])
        #expect(second[4] != first[4])
        #expect(harness.storage.records.count == 4)
        let reopened = try harness.reopened()
        #expect(try Self.outcomes(reopened.perform(SendAll(drafts)))[..<4] == first[..<4])
        let single = try reopened.accept(Given.keyed(2))
        #expect(try first[1].get().id == single)
    }

    @Test("are refused from the one on whose key the store cannot look up")
    func unreadable() throws {
        var limits = CoreLimits()
        limits.idempotency.idempotencyKeysMax = 1
        let harness = try DirectoryHarness(limits: limits)
        _ = try harness.accept(Given.keyed(1))
        _ = try harness.accept(Given.keyed(2))
        harness.storage.refuseReads = .unavailable(reason: "away")
        let drafts = [Given.draft(), Given.keyed(1), Given.draft(), Given.keyed(2)]
        let away = Refusal.storeUnavailable(retryAfterSeconds: 1)
        let outcomes = try Self.outcomes(harness.perform(SendAll(drafts)))
        #expect((try? outcomes[0].get().sequence) == 3)
        #expect(Array(outcomes[1...]) == [.failure(away), .failure(away), .failure(away)])
        #expect(harness.storage.records.count == 3)
        harness.storage.refuseReads = nil
        let again = try Self.outcomes(harness.perform(SendAll(Array(drafts[1...]))))
        #expect(again.map { try? $0.get().sequence } == [1, 4, 2])
    }

    @Test("are refused from the one on whose key stands for a change that the store refused")
    func refusedChange() throws {
        for isRefused in [false, true] {
            let harness = try DirectoryHarness()
            let due = harness.now.time.adding(seconds: 10)
            let request = ScheduleRequest(draft: Given.keyed(7), due: due)
            let scheduled = harness.submit(ScheduleSend(request))
            let token = harness.submit(
                SendAll([Given.draft(), Given.keyed(7), Given.draft()])
            )
            if isRefused { harness.storage.refuseChanges = .unavailable(reason: "away") }
            harness.run()
            let isScheduled = (try? scheduled.reply?.get()) != nil
            #expect(isScheduled == !isRefused)
            let outcomes = try Self.outcomes(token.reply)
            #expect(outcomes.map { try? $0.get().sequence } == [1, nil, isRefused ? nil : 2])
            let refusal = Refusal.storeUnavailable(retryAfterSeconds: 1)
            #expect(outcomes[1] == .failure(isRefused ? refusal : .idempotencyConflict))
            if isRefused { #expect(outcomes[2] == .failure(refusal)) }
            #expect(harness.storage.records.count == (isRefused ? 1 : 2))
        }
    }

    @Test("that are all known are answered without a group")
    func known() throws {
        let harness = try DirectoryHarness()
        let drafts = (1...200).map { Given.keyed($0) }
        let first = try Self.outcomes(harness.perform(SendAll(drafts)))
        harness.forget()
        #expect(try Self.outcomes(harness.perform(SendAll(drafts))) == first)
        #expect(harness.feed.isEmpty && harness.storage.records.count == 200)
    }

    @Test("with a property bag that is none are refused alone")
    func malformed() throws {
        let harness = try DirectoryHarness()
        var template = Given.draft("no JSON")
        template.format = .template
        let outcomes = try Self.outcomes(
            harness.perform(SendAll([Given.draft(), template, Given.draft()]))
        )
        #expect(outcomes.map { (try? $0.get().sequence) } == [1, nil, 2])
        #expect(try Self.outcomes(harness.perform(SendAll([]))) == [])
    }

    @Test("are carried out to their end by a hub that stops")
    func stopping() throws {
        let harness = try DirectoryHarness()
        let token = harness.submit(SendAll(Self.drafts(0..<300)))
        harness.directory.stop()
        let late = harness.submit(SendAll(Self.drafts(0..<1)))
        harness.run()
        #expect(try Self.outcomes(token.reply).count == 300)
        guard case .failure(.stopping) = late.reply else {
            Issue.record("\(String(describing: late.reply))")
            return
        }
        #expect(!harness.directory.hasWork)
    }

    @Test("wait with the bytes that they hold, small ones too")
    func bytes() throws {
        let command = SendAll(Self.drafts(0..<10))
        #expect(command.bodyBytes == 10 * (7 + SendAll.draftBytes))
        var draft = Given.draft("1234")
        let expression = "a && b".utf8Bytes
        draft.target = .tags(try TagExpression(parsing: expression.span))
        draft.contentType = "text/plain".utf8Bytes
        draft.headers = [NamedValue(name: "apns-a".utf8Bytes, value: "12345".utf8Bytes)]
        #expect(SendAll([draft]).bodyBytes == 4 + 6 + (11 + 64) + SendAll.draftBytes)
        draft.target = .handles(["AB".utf8Bytes, "CDE".utf8Bytes])
        #expect(Send(draft).bodyBytes == 4 + (5 + 2 * 32) + (11 + 64))
    }
}
