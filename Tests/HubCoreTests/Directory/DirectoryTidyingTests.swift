import HubCore
import HubTags
import Testing

@Suite("What only removed records could ask for")
struct DirectoryTidyingTests {
    private let grant = DirectoryHarness.manage

    /// The store says that its log begins at a place now.
    private func trim(_ harness: DirectoryHarness, to first: UInt64) {
        var bounds = harness.directory.bounds
        bounds.first = first
        harness.directory.tidied(TidyResult(), bounds: bounds)
    }

    @Test("deleted ids are given free when the log begins behind their end, and no earlier")
    func deletedIDs() throws {
        let harness = try DirectoryHarness()
        func refusal(_ id: [UInt8]) throws -> Refusal? {
            try harness.refusal(.putRegistration(id: id, Given.content(), .exists, grant))
        }
        let early = try harness.create(Given.content())
        let late = try harness.create(Given.content())
        try harness.send()
        #expect(try harness.refusal(.deleteRegistration(id: early.id, .none, grant)) == nil)
        try harness.send()
        #expect(try harness.refusal(.deleteRegistration(id: late.id, .none, grant)) == nil)
        try harness.send()
        // Gone from place 2 and from place 3 on.
        trim(harness, to: 2)
        #expect(try refusal(early.id) == .registrationGone)
        trim(harness, to: 3)
        #expect(try refusal(early.id) != .registrationGone)
        #expect(try refusal(late.id) == .registrationGone)
        trim(harness, to: 4)
        #expect(try refusal(late.id) != .registrationGone)
    }

    @Test("an id that was used and deleted again stays gone for as long as the second time says")
    func deletedTwice() throws {
        let harness = try DirectoryHarness()
        let id = try harness.create(Given.content()).id
        try harness.send()
        #expect(try harness.refusal(.deleteRegistration(id: id, .none, grant)) == nil)
        trim(harness, to: 3)
        _ = try harness.put(id, Given.content())
        for _ in 0..<4 { try harness.send() }
        #expect(try harness.refusal(.deleteRegistration(id: id, .none, grant)) == nil)
        trim(harness, to: 5)
        let refusal = try harness.refusal(.putRegistration(id: id, Given.content(), .none, grant))
        #expect(refusal == .registrationGone)
    }

    @Test("former tags go without a change of the registration, so many in a step")
    func formerTags() throws {
        var limits = CoreLimits()
        limits.registrationsTidiedPerStep = 2
        let harness = try DirectoryHarness(limits: limits)
        let ids = try (0..<5).map { _ in
            try harness.create(Given.content(tags: Given.tagSet("a"))).id
        }
        try harness.send()
        for id in ids { _ = try harness.put(id, Given.content(tags: Given.tagSet("b"))) }
        try harness.send()
        func known() throws -> [Int] { try ids.map { try harness.get($0).formerTags.count } }
        trim(harness, to: 1)
        trim(harness, to: 1)
        trim(harness, to: 1)
        #expect(try known() == [1, 1, 1, 1, 1])
        trim(harness, to: 2)
        #expect(try known() == [0, 0, 1, 1, 1])
        trim(harness, to: 2)
        trim(harness, to: 2)
        #expect(try known() == [0, 0, 0, 0, 0])
        #expect(try harness.get(ids[0]).tags(at: 2) == Given.tagSet("b"))
    }
}
