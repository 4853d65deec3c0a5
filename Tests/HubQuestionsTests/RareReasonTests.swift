import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import HubWire
import Testing

@Suite("Explanations that are asked for seldom")
struct RareReasonTests {
    private let grant = AccessGrant(rule: "full", rights: [.manage])

    private func explain(
        _ hub: WholeHub,
        _ name: NotificationName,
        _ subject: ExplainSubject
    ) throws -> ExplainReason? {
        let all = try #require(hub.run(Explain(name, subject))).get().reasons
        return all.first?.reason
    }

    private func subject(_ device: ScriptedDevice) -> ExplainSubject {
        .device(DeviceID(high: device.id.high, low: device.id.low))
    }

    /// Two devices with one tag: the first is away, the second stores what it gets.
    private func pair(
        deviceCap: Int = CoreLimits.standard.devices.deviceCap
    ) throws -> (hub: WholeHub, away: ScriptedDevice, here: ScriptedDevice) {
        let hub = try WholeHub(deviceCap: deviceCap)
        let away = try ScriptedDevice.registered(hub, tags: ["a"])
        let here = try ScriptedDevice.registered(hub, exporter: 3, tags: ["a"])
        away.cut()
        return (hub, away, here)
    }

    /// The one who is here stores what came; then the other one comes back.
    private func comeBack(
        _ hub: WholeHub,
        _ away: ScriptedDevice,
        _ here: ScriptedDevice
    ) throws {
        here.read()
        here.acknowledge()
        try away.reconnect()
        away.read()
        away.acknowledge()
        try hub.report()
    }

    @Test("do not claim that a device has stored what expired for it and was stored by another")
    func passed() throws {
        let (hub, away, here) = try pair()
        let name = try hub.send(try WholeHub.apple("1", tags: "a", timeToLive: .seconds(60)))
        here.read()
        here.acknowledge()
        hub.advance(milliseconds: 61_000)
        _ = try hub.send(try WholeHub.apple("2", tags: "a"))
        try comeBack(hub, away, here)
        #expect(away.alerts == ["2"])
        guard case .passed = try explain(hub, name, subject(away)) else {
            Issue.record("\(String(describing: try explain(hub, name, subject(away))))")
            return
        }
    }

    @Test("nor what a later one replaced for it")
    func collapsedOrStored() throws {
        let (hub, away, here) = try pair()
        let name = try hub.send(try WholeHub.apple("1", tags: "a", key: "k"))
        here.read()
        here.acknowledge()
        let newer = try hub.send(try WholeHub.apple("2", tags: "a", key: "k"))
        try comeBack(hub, away, here)
        #expect(away.alerts == ["2"])
        #expect(try explain(hub, name, subject(away)) == .collapsedOrStored(by: newer))
    }

    @Test("nor what was cut for it")
    func overCapOrStored() throws {
        let (hub, away, here) = try pair(deviceCap: 1)
        let name = try hub.send(try WholeHub.apple("1", tags: "a"))
        here.read()
        _ = try hub.send(try WholeHub.apple("2", tags: "a"))
        try comeBack(hub, away, here)
        #expect(here.alerts == ["1", "2"] && away.alerts == ["2"])
        #expect(try explain(hub, name, subject(away)) == .overCapOrStored)
    }

    @Test("say when nobody knows any more which tags a registration had")
    func historyCut() throws {
        let hub = try WholeHub()
        let phone = try ScriptedDevice.registered(hub, tags: ["b"])
        let changing = try hub.store(CreateRegistration(phone.content("t0"), grant))
        let name = try hub.send(try WholeHub.apple("1", tags: "t0"))
        try phone.changeTooOften(changing.id)
        #expect(try explain(hub, name, .registration(id: changing.id)) == .historyCut)
    }

    @Test("say that a stored template is none by today's rules")
    func templateError() throws {
        let disk = MemoryDisk()
        let hub = try WholeHub(disk: disk)
        let phone = try ScriptedDevice.registered(hub, tags: ["a"])
        var content = phone.content("a")
        content.template = TemplateDefinition(
            name: [],
            body: Array(#"{"aps":{"alert":"$(text)"}}"#.utf8)
        )
        var broken = try hub.store(CreateRegistration(content, grant))
        broken.content.template?.body = Array("{".utf8)
        let result = hub.store.commit(changes: [.put(broken)], records: [])
        try #require(result.changes == nil)
        let next = try WholeHub(disk: disk, seed: 2)
        let name = try next.send(
            NotificationDraft(
                format: .template,
                target: .broadcast,
                body: Array(#"{"text":"x"}"#.utf8),
                timeToLive: .seconds(60)
            ).asRead
        )
        #expect(try explain(next, name, .registration(id: broken.id)) == .templateError)
    }

    @Test("find an installation's registrations, and say when there is none")
    func installations() throws {
        let hub = try WholeHub()
        let phone = try ScriptedDevice.registered(hub, tags: ["other"])
        let id = Array("phone-1".utf8)
        var channel = InstallationChannel(pushChannel: .text(phone.handle))
        channel.tags = TagSet([Array("a".utf8)])
        let document = InstallationDocument(id: id, platform: .apple, channel: channel)
        let draft = try InstallationDraft(document, limits: .standard)
        _ = try #require(hub.run(PutInstallation(draft, grant))).get()
        phone.cut()
        let name = try hub.send(try WholeHub.apple("1", tags: "a"))
        let other = try hub.send(try WholeHub.apple("2", tags: "b"))
        guard case .waiting = try explain(hub, name, .installation(id: id)) else {
            Issue.record("\(String(describing: try explain(hub, name, .installation(id: id))))")
            return
        }
        let differs = try explain(hub, other, .installation(id: id))
        #expect(differs == .tagsDiffer(part: Array("b".utf8)))
        let nobody = ExplainSubject.installation(id: Array("phone-2".utf8))
        #expect(try explain(hub, name, nobody) == .unknownInstallation)
    }
}
