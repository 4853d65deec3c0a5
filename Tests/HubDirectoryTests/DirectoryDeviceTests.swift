import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Registrations by devices")
struct DirectoryDeviceTests {
    private func register(
        _ slot: UInt16 = 0,
        tags: TagSet = TagSet(),
        template: String? = nil,
        platform: Platform = .apple,
        ttl: UInt32 = 0,
        ifETag: UInt64 = 0
    ) -> DeviceRequest {
        .register(
            slot: slot,
            Given.content("", platform, tags: tags, template: template),
            ttlSeconds: ttl,
            ifETag: ifETag
        )
    }

    private func patch(_ add: TagSet, _ remove: TagSet, ifETag: UInt64 = 0) -> DeviceRequest {
        .tags(slot: 0, replace: false, add: add, remove: remove, ifETag: ifETag)
    }

    @Test("REGISTER stores the slot under the device's own handle")
    func registers() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone, isNew: true)
        #expect(session.etag == 0)
        let outcome = try harness.request(register(3, tags: Given.tagSet("World")), of: session)
        #expect(outcome.error == nil)
        #expect(outcome.slot == 3)
        #expect(outcome.applied == 1)
        #expect(outcome.etag != 0)
        let stored = try #require(harness.storage.registrations.values.first)
        #expect(stored.target == RegistrationTarget(device: Given.phone, slot: 3))
        #expect(stored.content.handle == (try harness.handle(Given.phone)))
        #expect(RegistrationID.isWellFormed(stored.id))
        let again = try harness.attach(Given.phone)
        #expect(again.etag == outcome.etag)
        #expect(again.registrations.map(\.number) == [stored.number])
    }

    @Test("an unchanged REGISTER is answered and writes nothing")
    func unchanged() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        let body = #"{"aps":{"alert":"$(m)"}}"#
        let request = register(tags: Given.tagSet("a", "B"), template: body)
        let first = try harness.request(request, of: session)
        harness.forget()
        harness.storage.refuseChanges = .full
        let same = register(tags: Given.tagSet("b", "A"), template: body)
        let second = try harness.request(same, of: session)
        #expect(second.error == nil)
        #expect(second.etag == first.etag)
        #expect(harness.feed.isEmpty)
        #expect(harness.storage.registrations.values.first?.version == 1)
    }

    @Test("the etag covers slots, tags and templates, and comes back with them")
    func etags() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        var seen: [UInt64] = []
        let requests = [
            register(tags: Given.tagSet("a")), register(tags: Given.tagSet("a", "b")),
            register(tags: Given.tagSet("a"), template: #"{"x":"$(m)"}"#),
            register(tags: Given.tagSet("a"), template: #"{"y":"$(m)"}"#),
            register(tags: Given.tagSet("a"), platform: .gcm), register(1, tags: Given.tagSet("a")),
            patch(Given.tagSet("z"), Given.tagSet("a")),
        ]
        for request in requests {
            let outcome = try harness.request(request, of: session)
            #expect(outcome.error == nil, "\(outcome)")
            seen.append(outcome.etag)
        }
        #expect(Set(seen).count == seen.count)
        let back = try harness.request(.unregister(slot: 0xFFFF), of: session)
        #expect(back.etag == 0)
        let first = try harness.request(requests[0], of: session)
        #expect(first.etag == seen[0])
        // What the backend makes for the same device is not the device's state.
        let handle = String(decoding: try harness.handle(Given.phone), as: UTF8.self)
        _ = try harness.create(Given.content(handle))
        #expect(try harness.attach(Given.phone, at: 2).etag == seen[0])
        #expect(try harness.reopened().attach(Given.phone).etag == seen[0])
    }

    @Test("an etag that does not fit is refused with the one that holds")
    func etagMismatch() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        let first = try harness.request(register(tags: Given.tagSet("a")), of: session)
        for request in [
            register(tags: Given.tagSet("b"), ifETag: first.etag ^ 1),
            patch(Given.tagSet("b"), TagSet(), ifETag: first.etag ^ 1),
        ] {
            let outcome = try harness.request(request, of: session)
            #expect(outcome.error == .etagMismatch)
            #expect(outcome.etag == first.etag)
        }
        let fitting = try harness.request(
            register(tags: Given.tagSet("b"), ifETag: first.etag),
            of: session
        )
        #expect(fitting.error == nil)
    }

    @Test("protected and reserved tags are refused by name")
    func forbiddenTags() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        _ = try harness.request(register(tags: Given.tagSet("free")), of: session)
        for tag in ["username:mara", "FROM:desk", "$InstallationId:{x}"] {
            let outcome = try harness.request(
                register(1, tags: Given.tagSet("free", tag)),
                of: session
            )
            #expect(outcome.error == .forbidden)
            #expect(outcome.detail == tag)
            let patched = try harness.request(patch(Given.tagSet(tag), TagSet()), of: session)
            #expect(patched.error == .forbidden)
            #expect(patched.detail == tag)
        }
        #expect(harness.storage.registrations.count == 1)
    }

    @Test("a template that cannot be compiled, too many tags, a slot too high: each its number")
    func invalid() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        let broken = try harness.request(register(template: "no json"), of: session)
        #expect(broken.error == .invalidTemplate)
        #expect(broken.detail.hasPrefix("BodyTemplate"))
        let limit = CoreLimits.standard.tags.tagsPerRegistrationMax
        let full = TagSet((0..<limit).map { "t\($0)".utf8Bytes })
        let over = TagSet((0...limit).map { "t\($0)".utf8Bytes })
        #expect(try harness.request(register(tags: over), of: session).error == .tooManyTags)
        #expect(try harness.request(register(tags: full), of: session).applied == UInt16(limit))
        #expect(
            try harness.request(patch(Given.tagSet("one-more"), TagSet()), of: session).error
                == .tooManyTags
        )
        #expect(
            try harness.request(patch(Given.tagSet("x"), Given.tagSet("t0")), of: session).error
                == nil
        )
        #expect(
            try harness.request(register(16), of: session).error == .tooManyRegistrations
        )
        #expect(try harness.request(.unregister(slot: 9), of: session).error == .notFound)
        let missing = DeviceRequest.tags(
            slot: 9,
            replace: true,
            add: TagSet(),
            remove: TagSet(),
            ifETag: 0
        )
        #expect(try harness.request(missing, of: session).error == .notFound)
    }

    @Test("a patch removes first, then adds; a replacement sets exactly what it names")
    func tagRequests() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        _ = try harness.request(register(tags: Given.tagSet("a", "b")), of: session)
        try harness.send()
        _ = try harness.request(patch(Given.tagSet("c", "b"), Given.tagSet("A", "b")), of: session)
        var stored = try #require(harness.storage.registrations.values.first)
        #expect(stored.tags == Given.tagSet("b", "c"))
        #expect(stored.tags(at: 1) == Given.tagSet("a", "b"))
        #expect(stored.version == 2)
        let replacement = DeviceRequest.tags(
            slot: 0,
            replace: true,
            add: Given.tagSet("d"),
            remove: TagSet(),
            ifETag: 0
        )
        #expect(try harness.request(replacement, of: session).applied == 1)
        stored = try #require(harness.storage.registrations.values.first)
        #expect(stored.tags == Given.tagSet("d"))
        #expect(harness.directory.registrationCount(tag: "d".utf8Bytes.span) == 1)
        #expect(harness.directory.registrationCount(tag: "b".utf8Bytes.span) == 0)
    }

    @Test("a write over REST leaves exactly its tags, and the device never undoes a grant")
    func grants() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        _ = try harness.request(register(tags: Given.tagSet("a", "b")), of: session)
        let own = try #require(harness.storage.registrations.values.first)
        let handle = String(decoding: own.content.handle, as: UTF8.self)
        let granted = try harness.put(
            own.id,
            Given.content(handle, tags: Given.tagSet("b", "username:mara"))
        )
        #expect(granted.number == own.number)
        #expect(granted.content.tags == Given.tagSet("b"))
        #expect(granted.granted == Given.tagSet("username:mara"))
        #expect(granted.tags == Given.tagSet("b", "username:mara"))
        for request in [
            register(tags: Given.tagSet("c")),
            .tags(
                slot: 0,
                replace: true,
                add: Given.tagSet("c"),
                remove: Given.tagSet(),
                ifETag: 0
            ),
            patch(TagSet(), Given.tagSet("username:mara")),
            register(tags: Given.tagSet("c"), platform: .gcm),
        ] {
            #expect(try harness.request(request, of: session).error == nil)
            let stored = try #require(harness.storage.registrations.values.first)
            #expect(stored.tags == Given.tagSet("c", "username:mara"), "\(request)")
            #expect(stored.id == own.id)
        }
        let listen = DirectoryHarness.listen
        #expect(
            try harness.refusal(DeleteRegistration(id: own.id, .none, listen))
                == .registrationIsGranted
        )
    }

    @Test("a changed kind or platform is a new incarnation in the same slot")
    func incarnation() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        _ = try harness.request(register(tags: Given.tagSet("a")), of: session)
        let first = try #require(harness.storage.registrations.values.first)
        try harness.send()
        _ = try harness.request(register(tags: Given.tagSet("a"), platform: .gcm), of: session)
        let second = try #require(harness.storage.registrations.values.first)
        #expect(second.number > first.number)
        #expect(second.target == first.target)
        #expect(second.since.sequence == 2)
        #expect(second.tags(at: 1) == nil)
        #expect(harness.storage.registrations.count == 1)
    }

    @Test("a slot lapses after its time, is no longer shown, and is removed and fed")
    func expiry() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        let outcome = try harness.request(register(ttl: 100), of: session)
        #expect(outcome.expiresSeconds == 100)
        let id = try #require(harness.storage.registrations.values.first?.id)
        harness.pass(milliseconds: 40_000)
        #expect(try harness.request(register(ttl: 100), of: session).expiresSeconds == 60)
        #expect(harness.storage.registrations.values.first?.version == 1)
        harness.pass(milliseconds: 20_000)
        // More than half has passed: now the end moves.
        #expect(try harness.request(register(ttl: 100), of: session).expiresSeconds == 100)
        harness.pass(milliseconds: 99_999)
        harness.directory.tick(now: harness.now)
        harness.run()
        #expect(try harness.get(id).id == id)
        harness.forget()
        harness.pass(milliseconds: 1)
        #expect(try harness.refusal(GetRegistration(id: id)) == .registrationNotFound)
        #expect(try harness.attach(Given.phone, at: 2).registrations.isEmpty)
        harness.directory.tick(now: harness.now)
        harness.run()
        #expect(harness.storage.registrations.isEmpty)
        #expect(harness.feed.count == 1)
        #expect(harness.events.contains(.expired(1)))
    }

    @Test("a lapse that the store refuses is tried again")
    func expiryRefused() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        _ = try harness.request(register(ttl: 1), of: session)
        harness.pass(milliseconds: 1_000)
        harness.storage.refuseChanges = .full
        harness.directory.tick(now: harness.now)
        harness.run()
        #expect(harness.storage.registrations.count == 1)
        harness.storage.refuseChanges = nil
        harness.directory.tick(now: harness.now)
        harness.run()
        #expect(harness.storage.registrations.isEmpty)
    }

    @Test("what the store refuses a device hears as a number and may repeat")
    func refused() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        harness.storage.refuseChanges = .full
        #expect(try harness.request(register(), of: session).error == .storage)
        harness.storage.refuseChanges = .unavailable(reason: "away")
        let outcome = try harness.request(register(), of: session)
        #expect(outcome.error == .unavailable)
        #expect(outcome.retryAfterMilliseconds == 1_000)
        #expect(try harness.attach(Given.phone, at: 2).registrations.isEmpty)
        #expect(harness.movedCursors().isEmpty)
    }
}
