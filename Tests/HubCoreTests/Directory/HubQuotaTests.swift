import HubDirectory
import HubModel
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("The quota of a hub")
struct HubQuotaTests {
    private func harness(_ change: (inout HubQuota) -> Void) throws -> DirectoryHarness {
        var limits = CoreLimits.standard
        change(&limits.quota)
        return try DirectoryHarness(limits: limits)
    }

    private func register(_ slot: UInt16, _ tags: String...) -> DeviceRequest {
        let content = Given.content("", .apple, tags: TagSet(tags.map(\.utf8Bytes)))
        return .register(slot: slot, content, ttlSeconds: 0, ifETag: 0)
    }

    @Test("refuses registrations above it, over REST and over the link")
    func registrations() throws {
        let harness = try harness { $0.registrationsMax = 2 }
        let first = try harness.create(Given.content())
        _ = try harness.create(Given.content())
        let refusal = Refusal.tooMany(what: "registrations of this hub", limit: 2)
        #expect(throws: refusal) { try harness.create(Given.content()) }
        _ = try harness.put(first.id, Given.content(tags: Given.tagSet("changed")))
        let session = try harness.attach(Given.phone)
        #expect(try harness.request(register(0, "a"), of: session).error == .tooManyRegistrations)
        #expect(throws: refusal) { try harness.install(GivenInstallation.apple()) }
        #expect(harness.storage.registrations.count == 2)
    }

    @Test("refuses tags that differ, and takes those that the hub knows")
    func tags() throws {
        let harness = try harness { $0.tagsMax = 2 }
        let made = try harness.create(Given.content(tags: Given.tagSet("a", "b")))
        let refusal = Refusal.tooMany(what: "tags of this hub", limit: 2)
        #expect(throws: refusal) {
            try harness.create(Given.content(tags: Given.tagSet("a", "c")))
        }
        #expect(throws: refusal) {
            try harness.put(made.id, Given.content(tags: Given.tagSet("c")))
        }
        _ = try harness.create(Given.content(tags: Given.tagSet("B", "A")))
        let session = try harness.attach(Given.phone)
        #expect(try harness.request(register(0, "a", "c"), of: session).error == .tooManyTags)
        #expect(try harness.request(register(0, "a"), of: session).error == nil)
        let more = DeviceRequest.tags(
            slot: 0,
            replace: false,
            add: Given.tagSet("c"),
            remove: TagSet(),
            ifETag: 0
        )
        #expect(try harness.request(more, of: session).error == .tooManyTags)
    }

    @Test("refuses bytes of tags above it, and takes them once others are gone")
    func bytes() throws {
        let harness = try harness { $0.tagBytesMax = 6 }
        let first = try harness.create(Given.content(tags: Given.tagSet("abc")))
        let next = Given.content(tags: Given.tagSet("abcd"))
        #expect(throws: Refusal.tooMany(what: "bytes of the tags of this hub", limit: 6)) {
            try harness.create(next)
        }
        _ = try harness.put(first.id, Given.content())
        _ = try harness.create(next)
    }

    @Test("does not keep a hub from starting that has more")
    func startsAbove() throws {
        let filled = try DirectoryHarness()
        let made = try filled.create(Given.content(tags: Given.tagSet("a", "b")))
        _ = try filled.create(Given.content(tags: Given.tagSet("c")))
        var limits = CoreLimits.standard
        limits.quota.registrationsMax = 1
        limits.quota.tagsMax = 1
        limits.quota.tagBytesMax = 1
        let harness = try filled.reopened(limits: limits)
        #expect(try harness.get(made.id).content.tags == Given.tagSet("a", "b"))
        _ = try harness.put(made.id, Given.content(tags: Given.tagSet("b")))
        try harness.send(1)
    }
}
