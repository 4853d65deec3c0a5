import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import Testing

@Suite("Registrations over REST")
struct DirectoryRegistrationTests {
    private let grant = DirectoryHarness.manage

    @Test("If-Match decides as the reference's table says")
    func conditions() throws {
        let harness = try DirectoryHarness()
        let stored = try harness.create(Given.content())
        let unknown = "9-9-9".utf8Bytes
        func refusal(_ id: [UInt8], _ condition: WriteCondition) throws -> Refusal? {
            try harness.refusal(PutRegistration(id: id, Given.content(), condition, grant))
        }
        #expect(try refusal(unknown, .exists) == .registrationNotFound)
        #expect(try refusal(unknown, .version(1)) == .registrationNotFound)
        #expect(try refusal(unknown, .never) == .registrationNotFound)
        #expect(try refusal(unknown, .none) == nil)
        #expect(try harness.get(unknown).version == 1)
        #expect(try refusal(stored.id, .never) == .versionMismatch)
        #expect(try refusal(stored.id, .version(2)) == .versionMismatch)
        #expect(try refusal(stored.id, .version(1)) == nil)
        #expect(try refusal(stored.id, .exists) == nil)
        #expect(try refusal(stored.id, .none) == nil)
        #expect(try harness.get(stored.id).version == 4)
        #expect(
            try harness.refusal(DeleteRegistration(id: stored.id, .version(3), grant))
                == .versionMismatch
        )
        #expect(try harness.refusal(DeleteRegistration(id: stored.id, .version(4), grant)) == nil)
        #expect(
            try harness.refusal(DeleteRegistration(id: stored.id, .exists, grant))
                == .registrationNotFound
        )
        #expect(try harness.refusal(GetRegistration(id: stored.id)) == .registrationNotFound)
        for condition in [WriteCondition.none, .exists, .version(4)] {
            #expect(try refusal(stored.id, condition) == .registrationGone)
        }
    }

    @Test("an id that is none is refused by name")
    func malformedID() throws {
        let harness = try DirectoryHarness()
        let refusal = try harness.refusal(
            PutRegistration(id: "x".utf8Bytes, Given.content(), .none, grant)
        )
        guard case .invalid(field: "RegistrationId", _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    @Test("reserved ids are well-formed, different, and store nothing")
    func reserves() throws {
        let harness = try DirectoryHarness()
        var ids: Set<[UInt8]> = []
        for _ in 0..<100 {
            let id = try harness.perform(ReserveRegistrationID()).get()
            #expect(RegistrationID.isWellFormed(id))
            ids.insert(id)
        }
        #expect(ids.count == 100)
        #expect(harness.storage.registrations.isEmpty)
    }

    @Test("a change of handle, platform or kind is a new incarnation under the same id")
    func incarnations() throws {
        let harness = try DirectoryHarness()
        let phoneHandle = String(decoding: try harness.handle(Given.phone), as: UTF8.self)
        var last = try harness.create(Given.content(phoneHandle, tags: Given.tagSet("a")))
        let changes = [
            Given.content(phoneHandle, .gcm, tags: Given.tagSet("a")),
            Given.content(phoneHandle, .gcm, tags: Given.tagSet("a"), template: #"{"a":"$(b)"}"#),
            Given.content(
                String(decoding: try harness.handle(Given.tablet), as: UTF8.self),
                tags: Given.tagSet("a")
            ),
            Given.content("foreign", .gcm, tags: Given.tagSet("a")),
        ]
        for change in changes {
            try harness.send()
            harness.forget()
            let next = try harness.put(last.id, change)
            #expect(next.id == last.id)
            #expect(next.number > last.number)
            #expect(next.version == last.version + 1)
            #expect(next.since == LogPlace(epoch: 7, sequence: harness.directory.bounds.head + 1))
            #expect(next.formerTags.isEmpty)
            #expect(next.tags(at: harness.directory.bounds.head) == nil)
            #expect(next.target == nil || next.target != last.target)
            #expect(harness.storage.registrations.count == 1)
            guard let item = harness.feed.first, item.changes.count == 2,
                case .removed(let removed) = item.changes[0],
                case .put(let added, previous: nil) = item.changes[1]
            else {
                Issue.record("\(harness.feed)")
                return
            }
            #expect(removed.number == last.number)
            #expect(added.number == next.number)
            last = next
        }
        #expect(harness.events == [.unknownHandle])
        #expect(harness.directory.gauges.unknownHandles == 1)
        // The tombstones do not make the living id a deleted one.
        let reopened = try harness.reopened()
        #expect(try reopened.get(last.id).number == last.number)
    }

    @Test("earlier tags hold for earlier records, up to 64 sets; beyond, the cut is noted")
    func tagHistory() throws {
        var limits = CoreLimits()
        limits.registrations.formerTagSetsMax = 3
        let harness = try DirectoryHarness(limits: limits)
        var registration = try harness.create(Given.content(tags: Given.tagSet("t0")))
        for step in 1...3 {
            try harness.send()
            registration = try harness.put(
                registration.id,
                Given.content(tags: Given.tagSet("t\(step)"))
            )
        }
        #expect(registration.historyCut == nil)
        for sequence in 1...3 {
            #expect(registration.tags(at: UInt64(sequence)) == Given.tagSet("t\(sequence - 1)"))
        }
        #expect(registration.tags(at: 4) == Given.tagSet("t3"))
        #expect(registration.tags(at: 0) == nil)
        try harness.send()
        registration = try harness.put(registration.id, Given.content(tags: Given.tagSet("t4")))
        #expect(registration.formerTags.count == 3)
        #expect(registration.historyCut == LogPlace(epoch: 7, sequence: 2))
    }

    @Test("earlier tags have so many bytes at most; beyond, the oldest go and the cut is noted")
    func tagHistoryBytes() throws {
        var limits = CoreLimits()
        // Three sets of two bytes.
        limits.registrations.formerTagBytesMax = 6
        let harness = try DirectoryHarness(limits: limits)
        var registration = try harness.create(Given.content(tags: Given.tagSet("t0")))
        for step in 1...3 {
            try harness.send()
            let content = Given.content(tags: Given.tagSet("t\(step)"))
            registration = try harness.put(registration.id, content)
        }
        #expect(registration.formerTags.count == 3)
        #expect(registration.historyCut == nil)
        try harness.send()
        registration = try harness.put(registration.id, Given.content(tags: Given.tagSet("t4")))
        #expect(registration.formerTags.count == 3)
        #expect(registration.historyCut == LogPlace(epoch: 7, sequence: 2))
        let standard = CoreLimits.standard
        #expect(
            standard.registrations.formerTagBytesMax >= standard.registrations.tagsBytesMax,
            "one set always fits"
        )
    }

    @Test("tags that differ only in order or spelling are the same tags")
    func sameTags() throws {
        let harness = try DirectoryHarness()
        let stored = try harness.create(Given.content(tags: Given.tagSet("World", "Sports")))
        try harness.send()
        let again = try harness.put(stored.id, Given.content(tags: Given.tagSet("sports", "world")))
        #expect(again.version == 2)
        #expect(again.formerTags.isEmpty)
        #expect(again.tagsSince == stored.tagsSince)
    }

    @Test("a token without Manage names no protected tag")
    func protectedTags() throws {
        let harness = try DirectoryHarness()
        let named = Given.content(tags: Given.tagSet("free", "UserName:mara"))
        #expect(
            try harness.refusal(CreateRegistration(named, DirectoryHarness.listen))
                == .protectedTag("UserName:mara")
        )
        let free = try harness.create(Given.content(), DirectoryHarness.listen)
        #expect(
            try harness.refusal(
                PutRegistration(id: free.id, named, .none, DirectoryHarness.listen)
            )
                == .protectedTag("UserName:mara")
        )
        let open = try DirectoryHarness(
            protected: ProtectedTags(listenMaySet: true)
        )
        let stored = try open.create(named, DirectoryHarness.listen)
        #expect(stored.tags == Given.tagSet("free", "username:mara"))
    }

    @Test("granted tags keep Listen tokens from changing and deleting")
    func granted() throws {
        let harness = try DirectoryHarness()
        let stored = try harness.create(Given.content(tags: Given.tagSet("free", "username:mara")))
        #expect(stored.granted == Given.tagSet("username:mara"))
        #expect(stored.content.tags == Given.tagSet("free", "username:mara"))
        let listen = DirectoryHarness.listen
        #expect(
            try harness.refusal(PutRegistration(id: stored.id, Given.content(), .none, listen))
                == .registrationIsGranted
        )
        #expect(
            try harness.refusal(DeleteRegistration(id: stored.id, .none, listen))
                == .registrationIsGranted
        )
        let released = try harness.put(stored.id, Given.content(tags: Given.tagSet("free")))
        #expect(released.granted.isEmpty)
        #expect(try harness.refusal(DeleteRegistration(id: stored.id, .none, listen)) == nil)
    }

    @Test("a device's handle leads to it, each registration in a slot of its own")
    func slots() throws {
        var harness = try DirectoryHarness()
        let handle = String(decoding: try harness.handle(Given.phone), as: UTF8.self)
        let first = try harness.create(Given.content(handle))
        let second = try harness.create(Given.content("https://push.example/\(handle)", .windows))
        #expect(first.target == RegistrationTarget(device: Given.phone, slot: 0x100))
        #expect(second.target == RegistrationTarget(device: Given.phone, slot: 0x101))
        #expect(try harness.refusal(DeleteRegistration(id: second.id, .none, grant)) == nil)
        // A slot is not given again at once, not even after a restart.
        harness = try harness.reopened()
        #expect(try harness.create(Given.content(handle)).target?.slot == 0x102)
    }

    @Test("a handle takes 32 registrations and no more", arguments: [true, false])
    func handleLimit(isKnown: Bool) throws {
        let harness = try DirectoryHarness()
        let handle =
            isKnown ? String(decoding: try harness.handle(Given.phone), as: UTF8.self) : "ABCD"
        var last: Registration?
        for _ in 0..<32 { last = try harness.create(Given.content(handle)) }
        let over = try harness.refusal(CreateRegistration(Given.content(handle), grant))
        #expect(over == .tooMany(what: "registrations of this handle", limit: 32))
        let id = try #require(last?.id)
        let same = Given.content(handle, .gcm)
        #expect(try harness.refusal(PutRegistration(id: id, same, .none, grant)) == nil)
        #expect(try harness.refusal(DeleteRegistration(id: id, .none, grant)) == nil)
        #expect(try harness.refusal(CreateRegistration(Given.content(handle), grant)) == nil)
    }

    @Test("a template that cannot be compiled is refused by the element's name")
    func invalidTemplate() throws {
        let harness = try DirectoryHarness()
        let refusal = try harness.refusal(
            CreateRegistration(Given.content(template: "no json"), grant)
        )
        guard case .invalid(field: "BodyTemplate", _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    @Test("equal templates are compiled once and shared; a broken stored one is kept and counted")
    func templates() throws {
        let harness = try DirectoryHarness()
        let body = #"{"aps":{"alert":"$(m)"}}"#
        let first = try harness.create(Given.content("01", template: body))
        let second = try harness.create(Given.content("02", template: body))
        let other = try harness.create(Given.content("03", template: #"{"x":"$(m)"}"#))
        #expect(first.template === second.template)
        #expect(first.template?.key != other.template?.key)
        harness.storage.registrations[other.number]?.content.template?.body = "broken".utf8Bytes
        let reopened = try harness.reopened()
        #expect(reopened.events == [.undeliverableTemplate(other.number)])
        #expect(reopened.directory.gauges.undeliverable == 1)
        #expect(try reopened.get(other.id).template == nil)
        let again = try (reopened.get(first.id), reopened.get(second.id))
        #expect(again.0.template != nil)
        #expect(again.0.template === again.1.template)
    }

    @Test("lists are exact page by page, ascending, by tag, by handle, or all")
    func lists() throws {
        let harness = try DirectoryHarness()
        for index in 0..<25 {
            let tags = index % 5 == 0 ? Given.tagSet("World", "Five") : Given.tagSet("World")
            _ = try harness.create(Given.content(index % 2 == 0 ? "AB" : "CD", tags: tags))
        }
        _ = try harness.create(Given.content("ab", .gcm))
        func pages(_ filter: RegistrationFilter, limit: Int) throws -> [[UInt32]] {
            var pages: [[UInt32]] = []
            var after: RegistrationNumber? = RegistrationNumber(0)
            while let place = after {
                let command = ListRegistrations(filter, after: place, limit: limit)
                let page = try harness.perform(command).get()
                pages.append(page.entries.map(\.number.raw))
                after = page.next
            }
            return pages
        }
        #expect(try pages(.all, limit: 10) == [Array(1...10), Array(11...20), Array(21...26)])
        #expect(try pages(.all, limit: 26) == [Array(1...26)])
        #expect(try pages(.tag("fIVE".utf8Bytes), limit: 2) == [[1, 6], [11, 16], [21]])
        #expect(try pages(.tag("none".utf8Bytes), limit: 2) == [[]])
        let even = Array(stride(from: UInt32(1), through: 25, by: 2))
        #expect(try pages(.handle(["ab".utf8Bytes, "AB".utf8Bytes]), limit: 100) == [even + [26]])
        #expect(try pages(.handle(["AB".utf8Bytes]), limit: 100) == [even])
        #expect(try pages(.handle(["cd".utf8Bytes]), limit: 100).first?.count == 12)
    }

    @Test("of a tag are looked at so many for a page, those that have expired included")
    func tagPages() throws {
        var limits = CoreLimits()
        limits.registrations.registrationScanMax = 3
        let harness = try DirectoryHarness(limits: limits)
        for number in 0..<10 {
            let tags = number == 4 ? Given.tagSet("b") : Given.tagSet("a")
            _ = try harness.create(Given.content(number < 6 ? "AB" : "CD", tags: tags))
        }
        var pages: [[UInt32]] = []
        var after: RegistrationNumber? = RegistrationNumber(0)
        while let place = after {
            let command = ListRegistrations(
                .tag("A".utf8Bytes),
                after: place,
                limit: 100
            )
            let page = try harness.perform(command).get()
            pages.append(page.entries.map(\.number.raw))
            after = page.next
        }
        // The last page says that nothing follows: that the ninth was the last is not looked up.
        #expect(pages == [[1, 2, 3], [4, 6, 7], [8, 9, 10], []])
    }
}
