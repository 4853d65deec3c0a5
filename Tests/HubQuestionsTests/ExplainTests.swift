import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubTags
import HubVocabulary
import HubWire
import Testing

@Suite("Explanations")
struct ExplainTests {
    private let grant = AccessGrant(rule: "full", rights: [.listen, .send, .manage])

    private func explain(
        _ hub: WholeHub,
        _ name: NotificationName,
        _ subject: ExplainSubject
    ) throws -> [Explanation] {
        let all = try #require(hub.run(Explain(name, subject))).get().reasons
        return all
    }

    private func reason(
        _ hub: WholeHub,
        _ name: NotificationName,
        _ device: ScriptedDevice
    ) throws -> ExplainReason? {
        try explain(hub, name, .device(DeviceID(high: device.id.high, low: device.id.low)))
            .first?.reason
    }

    private func phone(_ hub: WholeHub, tags: [String] = ["a"]) throws -> ScriptedDevice {
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(tags: tags)
        return device
    }

    @Test("follow a notification from the connection to the acknowledgement, also over a restart")
    func arrival() throws {
        let hub = try WholeHub()
        let device = try phone(hub)
        try hub.report()
        let name = try hub.send(try WholeHub.apple("x", tags: "a"))
        #expect(try reason(hub, name, device) == .pending)
        let early = hub.now.time
        device.cut()
        #expect(try reason(hub, name, device) == .sentUnacknowledged(offlineSince: early))
        let waiting = try hub.send(try WholeHub.apple("y", tags: "a"))
        #expect(try reason(hub, waiting, device) == .waiting(offlineSince: early))
        try device.reconnect()
        device.acknowledge()
        hub.advance(milliseconds: 600)
        for name in [name, waiting] {
            guard case .acknowledged(let seen) = try reason(hub, name, device) else {
                Issue.record("\(String(describing: try reason(hub, name, device)))")
                return
            }
            #expect(seen > early)
        }
        try hub.report()
        let next = try WholeHub(disk: hub.disk, seed: 2)
        guard case .acknowledged = try reason(next, name, device) else {
            Issue.record("\(String(describing: try reason(next, name, device)))")
            return
        }
    }

    @Test("name the part of the expression that failed, with the tags of then")
    func tags() throws {
        let hub = try WholeHub()
        let device = try phone(hub, tags: ["a", "b"])
        let name = try hub.send(try WholeHub.apple("x", tags: "a && !b"))
        try device.patch(remove: ["b"])
        #expect(try reason(hub, name, device) == .tagsDiffer(part: Array("!b".utf8)))
        let sentence = try explain(
            hub,
            name,
            .device(DeviceID(high: device.id.high, low: device.id.low))
        )
        .first?.sentence
        #expect(sentence == "The tags that the registration had then do not satisfy '!b'.")
    }

    @Test("show the tags of then, where they held, and each term of the expression")
    func tagsThen() throws {
        let hub = try WholeHub()
        let device = try phone(hub, tags: ["a", "b"])
        let subject = ExplainSubject.device(DeviceID(high: device.id.high, low: device.id.low))
        let first = try hub.send(try WholeHub.apple("x", tags: "a && !b"))
        try device.patch(remove: ["b"])
        let second = try hub.send(try WholeHub.apple("y", tags: "(a || c) && !b"))
        let all = try hub.send(try WholeHub.apple("z"))
        func then(_ name: NotificationName) throws -> TagsThen {
            try #require(try explain(hub, name, subject).first?.tagsThen)
        }
        func spelled(_ then: TagsThen) -> String {
            let tags = then.tags.map { String(decoding: $0, as: UTF8.self) }
            let terms = then.terms.map {
                String(decoding: $0.text, as: UTF8.self) + ($0.holds ? "+" : "-")
            }
            return (tags + terms).joined(separator: " ")
        }
        let before = try then(first)
        #expect(spelled(before) == "a b a+ !b-")
        #expect(before.since == 1 && before.until == second.sequence)
        let after = try then(second)
        #expect(spelled(after) == "a a+ c- !b+")
        #expect(after.since == second.sequence && after.until == nil)
        #expect(spelled(try then(all)) == "a")
        let late = try phone(hub)
        let other = ExplainSubject.device(DeviceID(high: late.id.high, low: late.id.low))
        let none = try #require(try explain(hub, first, other).first)
        #expect(none.tagsThen == nil)
        #expect(none.device == DeviceID(high: late.id.high, low: late.id.low))
    }

    @Test("say what is not registered, not for it, or gone")
    func registrations() throws {
        let hub = try WholeHub()
        let device = try phone(hub)
        let early = try hub.send(try WholeHub.apple("early", tags: "a"))
        try device.register(slot: 1, platform: .gcm, tags: ["a"])
        device.read()
        device.acknowledge()
        hub.advance(milliseconds: 600)
        let all = try explain(
            hub,
            early,
            .device(DeviceID(high: device.id.high, low: device.id.low))
        )
        #expect(all.map(\.reason.word) == ["acknowledged", "formatDiffers"])
        #expect(all.map(\.slot) == [0, 1])
        let late = try phone(hub)
        #expect(try reason(hub, early, late) == .notRegisteredThen(since: 2))
        let registration = try #require(all.first?.registration)
        device.unregister(slot: 0)
        // A tombstone answers, by id and by device.
        guard
            case .acknowledged = try explain(hub, early, .registration(id: registration)).first?
                .reason
        else {
            Issue.record("\(try explain(hub, early, .registration(id: registration)))")
            return
        }
        late.cut()
        let missed = try hub.send(try WholeHub.apple("missed", tags: "a"))
        try late.reconnect()
        late.unregister(slot: 0)
        hub.advance(milliseconds: 600)
        let gone = try explain(hub, missed, .registration(id: registration)).first?.reason
        #expect(gone == .deleted)
        let nobody = ExplainSubject.registration(id: Array("1-1-1".utf8))
        #expect(try explain(hub, early, nobody).map(\.reason) == [.unknownRegistration])
        let none = DeviceID(high: 9, low: 9)
        #expect(try explain(hub, early, .device(none)).map(\.reason) == [.unknownDevice])
        let unknown = NotificationName(id: NotificationID(high: 1, low: 1))
        #expect(try explain(hub, unknown, nobody).map(\.reason) == [.unknownNotification])
    }

    @Test("tell what expired, what was too large, what was never kept, and unknown handles")
    func notSent() throws {
        let hub = try WholeHub()
        let device = try phone(hub)
        try device.register(
            slot: 1,
            tags: ["t"],
            template: TemplateMessage(
                name: "",
                body: Array(#"{"aps":{"alert":"{$(text) + $(text) + $(text)}"}}"#.utf8)
            )
        )
        let text = String(repeating: "x", count: 4_000)
        let large = try hub.send(
            NotificationDraft(
                format: .template,
                target: .tags(try TagExpression(parsing: Array("t".utf8))),
                body: Array(#"{"text":"\#(text)"}"#.utf8),
                timeToLive: .seconds(60)
            ).asRead
        )
        guard case .invalidSize(let bytes, 8_192) = try reason(hub, large, device) else {
            Issue.record("\(String(describing: try reason(hub, large, device)))")
            return
        }
        #expect(bytes > 8_192)
        let never = try hub.send(try WholeHub.apple("now", tags: "a", timeToLive: .transient))
        #expect(try reason(hub, never, device) == .transient)
        device.cut()
        let short = try hub.send(try WholeHub.apple("s", tags: "a", timeToLive: .seconds(1)))
        hub.advance(milliseconds: 2_000)
        let expires = Timestamp(milliseconds: short.id.time.milliseconds + 1_000)
        #expect(try reason(hub, short, device) == .expired(expires))
        // Also when the device has gone past it.
        try device.reconnect()
        let after = try hub.send(try WholeHub.apple("after", tags: "a"))
        device.read()
        device.acknowledge()
        hub.advance(milliseconds: 600)
        #expect(try reason(hub, short, device) == .expired(expires))
        guard case .acknowledged = try reason(hub, after, device) else {
            Issue.record("\(String(describing: try reason(hub, after, device)))")
            return
        }
        let content = RegistrationContent(
            platform: .apple,
            handle: Array(String(repeating: "AB", count: 32).utf8),
            tags: TagSet([Array("a".utf8)])
        )
        let reply = try #require(hub.run(CreateRegistration(content, grant))).get()
        let stranger = reply
        let lost = try hub.send(try WholeHub.apple("x", tags: "a"))
        let reasons = try explain(hub, lost, .registration(id: stranger.id)).map(\.reason)
        #expect(reasons == [.unknownHandle])
    }

    @Test("know whom a direct send names, and find a device by its handle")
    func direct() throws {
        let hub = try WholeHub()
        let device = try phone(hub)
        let other = try phone(hub)
        let handle = try #require(device.welcome?.handle).hex
        let name = try hub.send(
            NotificationDraft(
                format: .native(.apple),
                target: .handles([Array(handle.utf8)]),
                body: Array(#"{"aps":{}}"#.utf8),
                timeToLive: .seconds(60)
            )
        )
        #expect(try explain(hub, name, .handle(Array(handle.utf8))).map(\.reason) == [.pending])
        #expect(try reason(hub, name, other) == .notNamed)
        let parsed = try #require(ExplainSubject(device: Array(handle.lowercased().utf8)))
        #expect(try explain(hub, name, parsed).first?.slot == 0xFFFF)
        #expect(ExplainSubject(device: Array("12".utf8)) == nil)
    }
}

extension [UInt8] {
    /// Upper-case hexadecimal digits.
    fileprivate var hex: String {
        map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
