import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubTags
import HubVocabulary
import Testing

/// Questions of an operator, answered in parts.
@Suite("Inspections of a hub")
struct DirectoryInspectionTests {
    /// A directory whose parts are small, with registrations of several kinds.
    private static func harness(perPart: Int) throws -> DirectoryHarness {
        var limits = CoreLimits()
        limits.inspection.inspectedPerPart = perPart
        let harness = try DirectoryHarness(limits: limits)
        for number in 0..<23 {
            let tags =
                number % 3 == 0 ? Given.tagSet("World", "user:\(number)") : Given.tagSet("news")
            let template = number % 4 == 0 ? #"{"a":"$(b)"}"# : nil
            let platform: Platform = number % 2 == 0 ? .apple : .gcm
            _ = try harness.create(
                Given.content("0\(number % 10)AB", platform, tags: tags, template: template)
            )
        }
        // Holes among the numbers, and tags that no registration has any more.
        let page = try registrations(harness)
        for number in [3, 4, 21] {
            _ = try harness.perform(
                DeleteRegistration(id: page[number].id, .none, DirectoryHarness.manage)
            )
        }
        return harness
    }

    private static func registrations(_ harness: DirectoryHarness) throws -> [Registration] {
        let command = ListRegistrations(.all, after: RegistrationNumber(0), limit: 100)
        return try harness.perform(command).get().entries
    }

    private static func parts<Found, Question: HubQuestion>(
        _ harness: DirectoryHarness,
        _ question: (UInt32) -> Question
    ) throws -> [Found] where Question.Reply == InspectedPart<Found> {
        var parts: [Found] = []
        var start: UInt32? = 0
        while let from = start {
            let part = try harness.perform(question(from)).get()
            parts.append(part.found)
            start = part.next
        }
        return parts
    }

    @Test("look at so many numbers, living or deleted, and lists go on behind a gap")
    func gaps() throws {
        var limits = CoreLimits()
        limits.inspection.inspectedPerPart = 10
        limits.registrations.registrationScanMax = 10
        let harness = try DirectoryHarness(limits: limits)
        let all = try (0..<60).map { try harness.create(Given.content("0\($0 % 10)CD")) }
        for made in all[5..<55] {
            let command = DeleteRegistration(id: made.id, .none, DirectoryHarness.manage)
            _ = try harness.perform(command)
        }
        let parts = try Self.parts(harness) {
            InspectAudience(.broadcast, format: nil, sample: 0, from: $0)
        }
        #expect(parts.count == 6)
        var (found, after, pages): ([Registration], RegistrationNumber?, Int) = (
            [], RegistrationNumber(0), 0
        )
        while let from = after {
            let command = ListRegistrations(.all, after: from, limit: 100)
            let page = try harness.perform(command).get()
            found += page.entries
            after = page.next
            pages += 1
        }
        #expect(found.map(\.id) == (all[..<5] + all[55...]).map(\.id))
        #expect(pages == 6)
    }

    @Test("count every tag that is in use, whatever the size of a part", arguments: [1, 4, 1_000])
    func tags(perPart: Int) throws {
        let harness = try Self.harness(perPart: perPart)
        var expected: [String: Int] = [:]
        for registration in try Self.registrations(harness) {
            let tags = registration.tags
            for index in 0..<tags.count {
                let tag = String(decoding: tags.bytes[tags.range(at: index)], as: UTF8.self)
                expected[tag, default: 0] += 1
            }
        }
        for (prefix, after) in [("", ""), ("USER:1", ""), ("user:", "User:15"), ("nobody", "")] {
            let parts = try Self.parts(harness) {
                InspectTags(prefix: prefix.utf8Bytes, after: after.utf8Bytes, limit: 100, from: $0)
            }
            #expect(parts.count >= 1 && (perPart > 1 || parts.count >= 10))
            var found: [String: Int] = [:]
            for counts in parts {
                #expect(counts.map(\.folded) == counts.map(\.folded).sorted(by: Self.isBefore))
                for count in counts {
                    found[String(decoding: count.tag, as: UTF8.self)] = count.registrations
                }
            }
            let wanted = expected.filter { tag, _ in
                let folded = tag.lowercased()
                return folded.hasPrefix(prefix.lowercased()) && folded > after.lowercased()
            }
            #expect(found == wanted, "'\(prefix)' behind '\(after)'")
        }
    }

    @Test("give the first tags of a part when there are more than asked for")
    func tagLimit() throws {
        let harness = try Self.harness(perPart: 1_000)
        let parts = try Self.parts(harness) {
            InspectTags(prefix: "user:".utf8Bytes, after: [], limit: 2, from: $0)
        }
        let counts = try #require(parts.first)
        #expect(counts.map { String(decoding: $0.tag, as: UTF8.self) } == ["user:0", "user:12"])
        let before = try Self.parts(harness) {
            InspectTags(
                prefix: "user:".utf8Bytes,
                after: [],
                before: "USER:12".utf8Bytes,
                limit: 100,
                from: $0
            )
        }
        #expect(before.flatMap { $0.map(\.folded) } == ["user:0".utf8Bytes])
    }

    @Test(
        "find exactly the registrations that a send would reach",
        arguments: ["", "World", "news && !World", "user:6 || user:9", "nobody"],
        [1, 5, 1_000]
    )
    func audience(expression: String, perPart: Int) throws {
        let harness = try Self.harness(perPart: perPart)
        let parsed = try TagExpression(parsing: (expression.isEmpty ? "x" : expression).utf8Bytes)
        let target: NotificationTarget = expression.isEmpty ? .broadcast : .tags(parsed)
        for format in [nil, .template, .native(.apple), .native(.gcm)] as [NotificationFormat?] {
            let expected = try Self.registrations(harness).filter { registration in
                let isKind =
                    switch format {
                    case nil: true
                    case .template: registration.content.template != nil
                    case .native(let platform):
                        registration.content.template == nil
                            && registration.content.platform == platform
                    }
                return isKind && (expression.isEmpty || parsed.matches(tags: registration.tags))
            }
            let parts = try Self.parts(harness) {
                InspectAudience(target, format: format, sample: 3, from: $0)
            }
            var whole = InspectedAudience()
            for part in parts { whole.add(part, sampleMax: 3) }
            #expect(whole.registrations == expected.count)
            #expect(whole.withoutDevice == expected.count)
            #expect(whole.sample.map(\.id) == expected.prefix(3).map(\.id))
            for share in whole.shares {
                let own = expected.filter {
                    $0.content.platform == share.platform
                        && ($0.content.template != nil) == share.isTemplate
                }
                #expect(share.registrations == own.count)
            }
            let order = whole.shares.map { "\($0.platform.rawValue) \($0.isTemplate ? 1 : 0)" }
            #expect(order == order.sorted() && Set(order).count == order.count)
        }
    }

    @Test("look at no more than the limit in one part, and change nothing")
    func limit() throws {
        let harness = try Self.harness(perPart: 5)
        let feed = harness.feed.count
        let parts = try Self.parts(harness) {
            InspectAudience(.broadcast, format: nil, sample: 1_000, from: $0)
        }
        for part in parts { #expect(part.registrations <= 5) }
        // 23 numbers were given, so there are five stretches of five.
        #expect(parts.count == 5)
        #expect(harness.feed.count == feed)
    }

    private static func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.lexicographicallyPrecedes(right)
    }
}
