import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import Testing

@Suite("Directory groups")
struct DirectoryGroupTests {
    @Test("a send is durable, then fed, then answered, and not in another order")
    func order() throws {
        let harness = try DirectoryHarness()
        let token = harness.submit(Send(Given.draft()))
        let group = try #require(harness.directory.nextGroup(now: harness.now))
        harness.collect()
        #expect(harness.actions.isEmpty, "nothing may leave before the commit")
        let result = harness.storage.commit(changes: group.changes, records: group.records)
        harness.collect()
        #expect(harness.actions.isEmpty, "nothing may leave before the commit is known")
        harness.directory.committed(group, result, now: harness.now)
        harness.collect()
        guard harness.actions.count == 2, case .feed(let item) = harness.actions[0],
            case .answer = harness.actions[1]
        else {
            Issue.record("unexpected \(harness.actions)")
            return
        }
        let sent = try #require(token.reply).get()
        let id = sent.id
        #expect(sent.sequence == 1)
        #expect(item.records.map(\.id) == [id])
        #expect(item.head == 1)
        #expect(harness.storage.records.map(\.id) == [id])
    }

    @Test("while a commit is outstanding nobody is answered, not even a reader")
    func stalledCommit() throws {
        let harness = try DirectoryHarness()
        _ = harness.submit(CreateRegistration(Given.content(), DirectoryHarness.manage))
        let group = try #require(harness.directory.nextGroup(now: harness.now))
        _ = harness.submit(ListRegistrations(.all, after: RegistrationNumber(0), limit: 10))
        _ = harness.submit(Send(Given.draft()))
        harness.collect()
        #expect(harness.actions.isEmpty)
        let result = harness.storage.commit(changes: group.changes, records: group.records)
        harness.directory.committed(group, result, now: harness.now)
        harness.run()
        #expect(harness.actions.count { if case .answer = $0 { true } else { false } } == 3)
    }

    @Test("the bag of a template send is read with its checks, and not again")
    func readOnce() throws {
        let name = Array("text".utf8)
        let format = NamedValue(
            name: Array("servicebusnotification-format".utf8),
            value: Array("template".utf8)
        )
        let request = SendRequest(headers: [format], body: Array(#"{"text":"hello"}"#.utf8))
        var sent = try SendRules.draft(of: request, now: Timestamp(milliseconds: 1_785_661_920_000))
        #expect(sent.properties?.value(of: name).map(Array.init) == Array("hello".utf8))
        // Only who read it again would notice.
        sent.body = Array("no JSON".utf8)
        let harness = try DirectoryHarness()
        _ = try harness.perform(Send(sent)).get()
        let logged = try #require(harness.feed.last?.records.first)
        #expect(logged.draft.properties?.value(of: name).map(Array.init) == Array("hello".utf8))
    }

    @Test("a number that the store refused goes to a later record")
    func refusedRecords() throws {
        let harness = try DirectoryHarness()
        try harness.send()
        harness.storage.refuseRecords = .unavailable(reason: "away")
        let refused = try harness.refusal(Send(Given.draft()))
        #expect(refused == .storeUnavailable(retryAfterSeconds: 1))
        harness.storage.refuseRecords = .full
        #expect(try harness.refusal(Send(Given.draft())) == .storeFull)
        harness.storage.refuseRecords = nil
        harness.forget()
        try harness.send()
        #expect(harness.storage.records.map(\.sequence) == [1, 2])
        #expect(harness.feed.flatMap(\.records).map(\.sequence) == [2])
        #expect(harness.directory.bounds.head == 2)
    }

    @Test("changes that the store refused leave no trace and do not refuse the group's records")
    func refusedChanges() throws {
        let harness = try DirectoryHarness()
        let kept = try harness.create(Given.content(tags: Given.tagSet("a")))
        harness.forget()
        harness.storage.refuseChanges = .unavailable(reason: "away")
        let grant = DirectoryHarness.manage
        let change = Given.content(tags: Given.tagSet("b"))
        let tokens: [any AnyAsked] = [
            harness.submit(PutRegistration(id: kept.id, change, .none, grant)),
            harness.submit(CreateRegistration(Given.content("CD"), grant)),
            harness.submit(DeleteRegistration(id: kept.id, .exists, grant)),
            // Judged by state that never became durable: its refusal must not be believed.
            harness.submit(PutRegistration(id: kept.id, change, .exists, grant)),
        ]
        let send = harness.submit(Send(Given.draft()))
        let read = harness.submit(GetRegistration(id: kept.id))
        harness.run()
        for token in tokens {
            #expect(token.refusal == .storeUnavailable(retryAfterSeconds: 1))
        }
        #expect(try #require(send.reply).get().sequence == 1)
        guard case .success(let read) = read.reply else {
            Issue.record("the read got \(String(describing: read.reply))")
            return
        }
        #expect(read.version == kept.version)
        #expect(read.tags == Given.tagSet("a"))
        #expect(harness.feed.count == 1)
        #expect(harness.feed.first?.changes.isEmpty == true)
        #expect(harness.directory.gauges.registrations == 1)
        #expect(harness.directory.registrationCount(tag: "b".utf8Bytes.span) == 0)
        harness.storage.refuseChanges = nil
        #expect(try harness.create(Given.content("CD")).number == RegistrationNumber(2))
    }

    @Test("changes stand when only the records were refused")
    func refusedRecordsKeepChanges() throws {
        let harness = try DirectoryHarness()
        harness.storage.refuseRecords = .full
        let send = harness.submit(Send(Given.draft()))
        let create = harness.submit(CreateRegistration(Given.content(), DirectoryHarness.manage))
        harness.run()
        guard case .failure(.storeFull) = send.reply,
            case .success(let stored) = create.reply
        else {
            Issue.record("\(harness.actions)")
            return
        }
        #expect(stored.since == LogPlace(epoch: 7, sequence: 1))
        #expect(harness.feed.map { $0.records.count } == [0])
        #expect(harness.feed.map(\.head) == [0])
    }

    @Test("changes of a group take effect before its records")
    func changesComeFirst() throws {
        let harness = try DirectoryHarness()
        try harness.send(2)
        harness.forget()
        _ = harness.submit(Send(Given.draft()))
        let token = harness.submit(CreateRegistration(Given.content(), DirectoryHarness.manage))
        harness.run()
        guard case .success(let stored) = token.reply else {
            Issue.record("\(harness.actions)")
            return
        }
        let item = try #require(harness.feed.first)
        #expect(harness.feed.count == 1)
        #expect(stored.since == LogPlace(epoch: 7, sequence: 3))
        #expect(item.records.map(\.sequence) == [3])
        #expect(item.changes.count == 1)
    }

    @Test("a group has at most 128 records and 128 changes; the rest follows in order")
    func groupLimit() throws {
        let harness = try DirectoryHarness()
        for _ in 0..<300 { _ = harness.submit(Send(Given.draft())) }
        for index in 0..<130 {
            let handle = "AB\(String(index + 256, radix: 16))".uppercased()
            _ = harness.submit(CreateRegistration(Given.content(handle), DirectoryHarness.manage))
        }
        var sizes: [[Int]] = []
        while let group = harness.directory.nextGroup(now: harness.now) {
            sizes.append([group.changes.count, group.records.count])
            let result = harness.storage.commit(changes: group.changes, records: group.records)
            harness.directory.committed(group, result, now: harness.now)
        }
        harness.collect()
        #expect(sizes == [[0, 128], [0, 128], [128, 44], [2, 0]])
        #expect(harness.feed.map(\.number) == [1, 2, 3, 4])
        #expect(harness.storage.records.map(\.sequence) == Array(1...300))
    }

    @Test("one registration written twice in a group is stored once, with both effects")
    func twoWritesInOneGroup() throws {
        let harness = try DirectoryHarness()
        let first = try harness.create(Given.content(tags: Given.tagSet("a")))
        try harness.send()
        let grant = DirectoryHarness.manage
        let two = harness.submit(
            PutRegistration(
                id: first.id,
                Given.content(tags: Given.tagSet("b")),
                .version(1),
                grant
            )
        )
        let three = harness.submit(
            PutRegistration(
                id: first.id,
                Given.content(tags: Given.tagSet("c")),
                .version(2),
                grant
            )
        )
        let group = try #require(harness.directory.nextGroup(now: harness.now))
        #expect(group.changes.count == 1)
        let result = harness.storage.commit(changes: group.changes, records: group.records)
        harness.directory.committed(group, result, now: harness.now)
        harness.collect()
        guard case .success(let second) = two.reply,
            case .success(let third) = three.reply
        else {
            Issue.record("\(harness.actions)")
            return
        }
        #expect([second.version, third.version] == [2, 3])
        // No record can have seen {b}: the history knows {a} only.
        #expect(third.formerTags.map(\.tags) == [Given.tagSet("a")])
        #expect(third.tags(at: 1) == Given.tagSet("a"))
        #expect(third.tags(at: 2) == Given.tagSet("c"))
    }

    @Test("a registration made and deleted in one group is remembered as deleted, and not fed")
    func createdAndDeleted() throws {
        let harness = try DirectoryHarness()
        let grant = DirectoryHarness.manage
        let id = "1-2-3".utf8Bytes
        _ = harness.submit(PutRegistration(id: id, Given.content(), .none, grant))
        _ = harness.submit(DeleteRegistration(id: id, .none, grant))
        harness.run()
        #expect(harness.storage.deleted.count == 1)
        #expect(harness.feed.isEmpty)
        #expect(
            try harness.refusal(PutRegistration(id: id, Given.content(), .none, grant))
                == .registrationGone
        )
        let reopened = try harness.reopened()
        #expect(
            try reopened.refusal(PutRegistration(id: id, Given.content(), .none, grant))
                == .registrationGone
        )
    }

    @Test("ids ascend although the clock steps back, also after a restart")
    func idTimes() throws {
        var harness = try DirectoryHarness()
        try harness.send(2)
        harness.now.time = Timestamp(milliseconds: 1_000)
        try harness.send(2)
        harness = try harness.reopened()
        harness.now.time = Timestamp(milliseconds: 1_000)
        try harness.send(2)
        let ids = harness.storage.records.map(\.id)
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }, "\(ids)")
        #expect(Set(ids.map(\.time)).count == 1)
    }

    @Test("a stopping directory refuses new commands and finishes the old ones")
    func stopping() throws {
        let harness = try DirectoryHarness()
        let old = harness.submit(Send(Given.draft()))
        harness.directory.stop()
        let new = harness.submit(Send(Given.draft()))
        harness.run()
        guard case .success = old.reply,
            case .failure(.stopping) = new.reply
        else {
            Issue.record("\(harness.actions)")
            return
        }
    }

    @Test("a full queue refuses at once, and says so")
    func fullQueue() throws {
        let harness = try DirectoryHarness()
        for _ in 0..<Hub.queueMax { _ = harness.submit(Send(Given.draft())) }
        let late = harness.submit(Send(Given.draft()))
        harness.collect()
        guard case .failure(.throttled) = late.reply else {
            Issue.record("\(harness.actions)")
            return
        }
        #expect(harness.events == [.queueFull])
    }
}
