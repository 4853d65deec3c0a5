import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubTags
import HubTemplates
import HubVocabulary
import HubWire
import Testing

@Suite("Test sends")
struct TestSendTests {
    private func test(_ hub: WholeHub, _ draft: NotificationDraft) throws -> TestOutcome {
        try #require(hub.run(TestSend(draft))).get()
    }

    private func words(_ outcome: TestOutcome) -> [String] {
        outcome.results.map { result in
            switch result.verdict {
            case .sent: "sent"
            case .held: "held"
            case .missed: "missed"
            case .unknownHandle: "unknown handle"
            case .forService, .service: "for a service"
            case .templateError: "template error"
            case .invalidSize: "too large"
            }
        }.sorted()
    }

    @Test("reach ten of those who match and nobody else, each named once")
    func ten() throws {
        let hub = try WholeHub(shards: 2)
        let devices = try (0..<15).map { number in
            let device = ScriptedDevice(hub, shard: number % 2)
            try device.hello()
            try device.register(tags: [number < 12 ? "a" : "b"])
            return device
        }
        let outcome = try test(hub, try WholeHub.apple("x", tags: "a"))
        #expect(words(outcome) == Array(repeating: "sent", count: 10))
        #expect(Set(outcome.results.compactMap(\.registration)).count == 10)
        for device in devices { device.read() }
        let alerts = devices.map(\.alerts.count)
        #expect(alerts.reduce(0, +) == 10)
        #expect(devices[12...].allSatisfy { $0.alerts.isEmpty })
        let name = try #require(outcome.notification)
        hub.advance(milliseconds: 600)
        let details = try hub.details(name)
        #expect(details.state == .completed)
        #expect(details.record.draft.testedExpression == Array("a".utf8))
        #expect(details.platforms.first?[.matched] == 10)
        #expect(details.platforms.first?.matchedOffline == 0)
    }

    @Test(
        "say who is away, unknown or gets too much; who is away gets it later, over a restart too"
    )
    func verdicts() throws {
        let hub = try WholeHub()
        let here = ScriptedDevice(hub)
        try here.hello()
        try here.register(
            tags: ["a"],
            template: TemplateMessage(name: "", body: Array(#"{"aps":{"alert":"$(text)"}}"#.utf8))
        )
        let away = ScriptedDevice(hub)
        try away.hello()
        try away.register(
            tags: ["a"],
            template: TemplateMessage(name: "", body: Array(#"{"aps":{"alert":"$(text)"}}"#.utf8))
        )
        try away.register(
            slot: 1,
            tags: ["a"],
            template: TemplateMessage(
                name: "",
                body: Array(#"{"aps":{"alert":"{$(text) + $(text) + $(text)}"}}"#.utf8)
            )
        )
        away.cut()
        let stranger = RegistrationContent(
            platform: .apple,
            handle: Array(String(repeating: "AB", count: 32).utf8),
            tags: TagSet([Array("a".utf8)]),
            template: TemplateDefinition(name: [], body: Array(#"{"aps":{}}"#.utf8))
        )
        let grant = AccessGrant(rule: "full", rights: [.listen, .manage])
        _ = try hub.run(CreateRegistration(stranger, grant))?.get()
        let text = String(repeating: "x", count: 3_000)
        let draft = NotificationDraft(
            format: .template,
            target: .tags(try TagExpression(parsing: Array("a".utf8))),
            body: Array(#"{"text":"\#(text)"}"#.utf8),
            timeToLive: .seconds(600)
        ).asRead
        let outcome = try test(hub, draft)
        #expect(words(outcome) == ["held", "sent", "too large", "unknown handle"])
        here.read()
        #expect(here.entries.count == 1)
        try hub.report()
        let next = try WholeHub(disk: hub.disk, seed: 2)
        next.now = hub.now
        let back = ScriptedDevice(next)
        back.id = away.id
        back.key = away.key
        back.position = away.position
        try back.hello()
        #expect(back.entries.map(\.slot) == [0])
    }

    @Test("to nobody leave no notification, and refuse what an ordinary send refuses")
    func nobody() throws {
        let hub = try WholeHub()
        let outcome = try test(hub, try WholeHub.apple("x", tags: "nobody"))
        #expect(outcome.notification == nil)
        #expect(outcome.results.isEmpty)
        #expect(hub.store.bounds.head == 0)
        let bad = NotificationDraft(
            format: .template,
            target: .broadcast,
            body: Array("[]".utf8),
            timeToLive: .seconds(60)
        )
        guard case .failure(.invalid(field: "body", reason: _)) = hub.run(TestSend(bad)) else {
            Issue.record("not refused")
            return
        }
        hub.disk.setFaults(MemoryFaults(records: .full))
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(tags: ["a"])
        guard case .failure(.storeFull) = hub.run(TestSend(try WholeHub.apple("x"))) else {
            Issue.record("not refused")
            return
        }
    }

    @Test("without a time to live do not claim to reach who is away")
    func transient() throws {
        let hub = try WholeHub()
        let away = ScriptedDevice(hub)
        try away.hello()
        try away.register(tags: ["a"])
        away.cut()
        var draft = try WholeHub.apple("x", tags: "a")
        draft.timeToLive = .transient
        let outcome = try test(hub, draft)
        #expect(words(outcome) == ["missed"] && !outcome.results[0].isSuccess)
        #expect(outcome.notification == nil && hub.store.bounds.head == 0)
    }

    @Test("are ten in a minute, and the next is told when to come again")
    func rate() throws {
        let harness = try DirectoryHarness()
        for _ in 0..<10 {
            _ = try harness.perform(TestSend(Given.draft())).get()
            harness.pass(milliseconds: 1_000)
        }
        let refusal = try harness.refusal(TestSend(Given.draft()))
        #expect(refusal == .throttled(retryAfterSeconds: 50))
        harness.pass(milliseconds: 50_000)
        #expect(try harness.refusal(TestSend(Given.draft())) == nil)
        #expect(try harness.refusal(TestSend(Given.draft())) == .throttled(retryAfterSeconds: 1))
    }

    @Test("pass over an idempotency key: the next one is another, and the key stays free")
    func key() throws {
        let harness = try DirectoryHarness()
        for _ in 0..<2 {
            _ = try harness.perform(TestSend(Given.keyed(1))).get()
        }
        _ = try harness.perform(Send(Given.keyed(1))).get()
    }

    @Test("and telemetry ask some of a large audience, and the index of a small one")
    func sampled() throws {
        var limits = CoreLimits()
        limits.inspection.matchSampleMax = 200
        limits.inspection.inspectedPerPart = 400
        let harness = try DirectoryHarness(limits: limits)
        for number in 0..<1_000 {
            let tags = number == 500 ? Given.tagSet("rare", "all") : Given.tagSet("all")
            _ = try harness.create(Given.content("G\(number)", .gcm, tags: tags))
        }
        func ask(_ tags: String) throws -> (tested: Int, estimated: UInt64) {
            let draft = NotificationDraft(
                format: .native(.gcm),
                target: .tags(try TagExpression(parsing: Array(tags.utf8))),
                body: Array("{}".utf8),
                timeToLive: .seconds(60)
            )
            let outcome = try harness.perform(TestSend(draft)).get()
            let sent = try harness.perform(Send(draft)).get()
            let name = NotificationName(id: sent.id, sequence: sent.sequence)
            let details = try harness.perform(GetDetails(name)).get()
            let all = Set(outcome.results.compactMap(\.registration))
            #expect(all.count == outcome.results.count, "each once")
            return (all.count, details.platforms.first?.estimate.unknownHandle ?? 0)
        }
        #expect(try ask("all") == (10, 1_000))
        #expect(try ask("rare") == (1, 1))
        #expect(try ask("all && !rare") == (10, 1_000))
        #expect(try ask("!all || rare") == (1, 1))
    }

    @Test("direct ones name the handle's registration")
    func direct() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(tags: ["a"])
        let handle = try #require(device.welcome?.handle).flatMap { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return Array((digits.utf8.count == 1 ? "0" + digits : digits).utf8)
        }
        let unknown = Array(String(repeating: "AB", count: 32).utf8)
        let outcome = try test(
            hub,
            NotificationDraft(
                format: .native(.apple),
                target: .handles([handle, unknown]),
                body: Array(#"{"aps":{}}"#.utf8),
                timeToLive: .seconds(60)
            )
        )
        #expect(words(outcome) == ["sent", "unknown handle"])
        #expect(outcome.results[0].registration != nil && outcome.results[1].registration == nil)
        device.read()
        #expect(device.entries.map(\.slot) == [0xFFFF])
    }
}
