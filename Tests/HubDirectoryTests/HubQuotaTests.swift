import HubDirectory
@testable import HubHarness
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
        #expect(try harness.request(register(0, "a"), of: session).error == .quota)
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
        #expect(try harness.request(register(0, "a", "c"), of: session).error == .quota)
        #expect(try harness.request(register(0, "a"), of: session).error == nil)
        let more = DeviceRequest.tags(
            slot: 0,
            replace: false,
            add: Given.tagSet("c"),
            remove: TagSet(),
            ifETag: 0
        )
        #expect(try harness.request(more, of: session).error == .quota)
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

    private func listen(_ rule: String = "listen", from network: UInt64? = nil) -> AccessGrant {
        var grant = AccessGrant(rule: rule, rights: [.listen])
        grant.network = network.map { DeviceID(high: $0, low: 0) }
        return grant
    }

    private func told(_ harness: DirectoryHarness) -> [HubLimit] {
        harness.actions.compactMap { action in
            if case .event(.limitReached(let limit)) = action { limit } else { nil }
        }
    }

    @Test("refuses new registrations of a key above those of a minute, until the next")
    func newOfKey() throws {
        let harness = try harness { $0.newPerKeyPerMinute = 2 }
        harness.now.time = Timestamp(milliseconds: 60_000 * 1_000_000 + 45_500)
        let first = try harness.create(Given.content(), listen())
        _ = try harness.create(Given.content(), listen())
        let refusal = Refusal.tooFast(
            what: "new registrations with this key",
            perMinute: 2,
            retryAfterSeconds: 15
        )
        #expect(throws: refusal) { try harness.create(Given.content(), listen()) }
        #expect(throws: refusal) { try harness.install(GivenInstallation.apple(), grant: listen()) }
        #expect(told(harness) == [.newOfKey(rule: "listen")], "once a minute")
        // What is there is changed, and others make more.
        _ = try harness.put(first.id, Given.content(), .none, listen())
        _ = try harness.create(Given.content(), listen("other"))
        for _ in 0..<5 { _ = try harness.create(Given.content()) }
        harness.now.time = harness.now.time.adding(seconds: 15)
        _ = try harness.create(Given.content(), listen())
    }

    @Test("refuses new registrations of an address above those of a minute")
    func newOfAddress() throws {
        let harness = try harness { $0.newPerAddressPerMinute = 1 }
        _ = try harness.create(Given.content(), listen(from: 1))
        let refused = try harness.refusal(CreateRegistration(Given.content(), listen(from: 1)))
        guard case .tooFast("new registrations from this address", 1, _)? = refused else {
            throw Unexpected(what: "\(String(describing: refused))")
        }
        _ = try harness.create(Given.content(), listen(from: 2))
        for _ in 0..<3 { _ = try harness.create(Given.content(), listen()) }
        #expect(told(harness) == [.newOfAddress])
    }

    @Test("refuses new devices of a key above those of a minute")
    func newDevices() throws {
        let harness = try harness { $0.newPerKeyPerMinute = 1 }
        for number in UInt32(1)...2 {
            harness.directory.receive(
                .attach(
                    AttachRequest(
                        address: harness.address(number),
                        device: DeviceID(high: 7, low: UInt64(number)),
                        keyGeneration: 0,
                        instance: 1,
                        position: .none,
                        isNew: true,
                        grant: listen()
                    )
                ),
                now: harness.now
            )
        }
        harness.run()
        let refused = harness.messages.compactMap { message -> UInt32? in
            guard case .attachRefused(_, .rateLimited, let wait) = message else { return nil }
            return wait
        }
        #expect(refused.count == 1 && refused.allSatisfy { (1_000...60_000).contains($0) })
        #expect(harness.directory.gauges.sessions == 1)
        // Who comes back is not new.
        try harness.attach(Given.phone, at: 3)
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
