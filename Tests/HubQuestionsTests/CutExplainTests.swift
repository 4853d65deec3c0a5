import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubVocabulary
import HubWire
import Testing

@Suite("Explanations of what a device does not get")
struct CutExplainTests {
    private let grant = AccessGrant(rule: "full", rights: [.manage])

    private func explain(
        _ hub: WholeHub,
        _ name: NotificationName,
        _ subject: ExplainSubject
    ) throws -> ExplainReason? {
        let all = try #require(hub.run(Explain(name, subject))).get().reasons
        return all.first?.reason
    }

    private func device(_ device: ScriptedDevice) -> ExplainSubject {
        .device(DeviceID(high: device.id.high, low: device.id.low))
    }

    @Test("name the notification that replaced one, before and after the device came")
    func collapsed() throws {
        let hub = try WholeHub()
        let phone = try ScriptedDevice.registered(hub, tags: ["a"])
        phone.cut()
        let first = try hub.send(try WholeHub.apple("1", tags: "a", key: "k"))
        // Not for it, and for it with another key, or now or never.
        _ = try hub.send(try WholeHub.apple("2", tags: "b", key: "k"))
        _ = try hub.send(try WholeHub.apple("3", tags: "a", key: "other"))
        _ = try hub.send(try WholeHub.apple("4", tags: "a", timeToLive: .transient, key: "k"))
        guard case .waiting = try explain(hub, first, device(phone)) else {
            Issue.record("\(String(describing: try explain(hub, first, device(phone))))")
            return
        }
        let newer = try hub.send(try WholeHub.apple("5", tags: "a", key: "k"))
        #expect(try explain(hub, first, device(phone)) == .collapsed(by: newer))
        try phone.reconnect()
        phone.acknowledge()
        try hub.report()
        #expect(try explain(hub, first, device(phone)) == .collapsed(by: newer))
        guard case .acknowledged = try explain(hub, newer, device(phone)) else {
            Issue.record("\(String(describing: try explain(hub, newer, device(phone))))")
            return
        }
    }

    @Test("find what replaced one among thousands with its collapse key, and look at few of them")
    func collapsedAmongMany() throws {
        let hub = try WholeHub()
        let phone = try ScriptedDevice.registered(hub, tags: ["a"])
        phone.cut()
        let first = try hub.send(try WholeHub.apple("1", tags: "a", key: "k"))
        // Far more of others than one explanation reads.
        let others = CoreLimits.standard.inspection.explainedRecordsMax + 300
        for number in 0..<others {
            _ = try hub.send(try WholeHub.apple("\(number)", tags: "b\(number % 7)", key: "k"))
        }
        let newer = try hub.send(try WholeHub.apple("5", tags: "a", key: "k"))
        for _ in 0..<300 { _ = try hub.send(try WholeHub.apple("6", tags: "b", key: "k")) }
        #expect(try explain(hub, first, device(phone)) == .collapsed(by: newer))
    }

    @Test("tell what a cap cut, and what was purged")
    func cut() throws {
        let hub = try WholeHub(deviceCap: 1)
        let phone = try ScriptedDevice.registered(hub, tags: ["a"])
        phone.cut()
        let purged = try hub.send(try WholeHub.apple("1", tags: "a"))
        hub.run(Purge(.through(1)))
        #expect(try explain(hub, purged, device(phone)) == .purged)
        let capped = try hub.send(try WholeHub.apple("2", tags: "a"))
        _ = try hub.send(try WholeHub.apple("3", tags: "a"))
        try phone.reconnect()
        phone.acknowledge()
        try hub.report()
        #expect(phone.alerts == ["3"] && phone.gaps.map(\.lost) == [2])
        #expect(try explain(hub, purged, device(phone)) == .purged)
        #expect(try explain(hub, capped, device(phone)) == .overCap)
    }

    @Test("do not claim that a device has stored what was purged for it and stored by another")
    func purgedOrStored() throws {
        let hub = try WholeHub()
        let away = try ScriptedDevice.registered(hub, tags: ["a"])
        let here = try ScriptedDevice.registered(hub, exporter: 3, tags: ["a"])
        away.cut()
        let name = try hub.send(try WholeHub.apple("1", tags: "a"))
        here.read()
        here.acknowledge()
        hub.run(Purge(.through(1)))
        try away.reconnect()
        away.acknowledge()
        try hub.report()
        #expect(away.alerts == [])
        #expect(try explain(hub, name, device(away)) == .purgedOrStored)
    }

    @Test("say that a device was told of forgotten tags where it skipped part of the log")
    func skippedWithCutHistory() throws {
        let hub = try WholeHub()
        let phone = try ScriptedDevice.registered(hub, tags: ["b"])
        let changing = try hub.store(CreateRegistration(phone.content("t0"), grant))
        phone.cut()
        let skipped = try hub.send(try WholeHub.apple("1", tags: "b"))
        try phone.changeTooOften(changing.id)
        try phone.reconnect()
        #expect(phone.welcome?.resume == .gap)
        _ = try hub.send(try WholeHub.apple("after", tags: "b"))
        phone.read()
        phone.acknowledge()
        try hub.report()
        #expect(phone.alerts == ["after"])
        #expect(try explain(hub, skipped, device(phone)) == .historyCutOrStored)
    }

    @Test("differ for what was sent before a deletion and after, also when the id is used again")
    func deleted() throws {
        let hub = try WholeHub()
        let phone = ScriptedDevice(hub)
        try phone.hello()
        let made = try hub.store(CreateRegistration(phone.content("a"), grant))
        let before = try hub.send(try WholeHub.apple("before", tags: "b"))
        hub.run(DeleteRegistration(id: made.id, .none, grant))
        let after = try hub.send(try WholeHub.apple("after", tags: "a"))
        let subject = ExplainSubject.registration(id: made.id)
        #expect(try explain(hub, before, subject) == .tagsDiffer(part: Array("b".utf8)))
        #expect(try explain(hub, after, subject) == .deleted)
        #expect(try explain(hub, after, device(phone)) == .deleted)
    }
}
