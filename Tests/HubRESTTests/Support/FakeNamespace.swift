import HubHistory
import HubModel
import HubREST
import HubRules
import HubVocabulary
import Synchronization

/// Hubs without anything in them; keys count upwards from `key-1`.
final class FakeNamespace: Sendable {
    private struct State {
        var hubs: [HubName: HubDescription] = [:]
        var keys = 0

        mutating func key() -> String {
            keys += 1
            return "key-\(keys)"
        }
    }

    private let state = Mutex(State())

    /// The numbers of a hub that answers; others answer too late.
    static var gauges: [HubName: DirectoryGauges] {
        var gauges = DirectoryGauges()
        (gauges.registrations, gauges.sessions, gauges.logHead) = (3, 2, 17)
        return HubName("news").map { [$0: gauges] } ?? [:]
    }

    /// A server that has run for a minute.
    static let server = ServerDescription(
        version: "1.2.3",
        started: Timestamp(milliseconds: FakeHub.time.milliseconds - 60_000),
        certificateEnd: nil,
        settings: [ServerSetting(name: "rest.port", origin: .file, value: "8443")]
    )

    /// The one rule that holds for every hub, with the keys `key-0`.
    static var rules: [HubRule] {
        // Rules of our own making are never refused.
        let made = try? AccessRule.namespaceDefaults { "key-0" }
        return (made ?? []).map { HubRule($0, created: FakeHub.time, modified: FakeHub.time) }
    }

    /// Four events, with the first one gone.
    static var events: EventRing {
        var ring = EventRing(capacity: 3)
        ring.append(.told("gone"), at: FakeHub.time)
        ring.append(
            .accepted(FakeHub.sent, .native(.apple), .tags(Array("World".utf8))),
            at: FakeHub.time
        )
        ring.append(
            .refused(operation: "send", status: 400, code: 40_001, tracking: "t"),
            at: FakeHub.time
        )
        ring.append(.changed(operation: "purge", rule: "r", tracking: "u"), at: FakeHub.time)
        return ring
    }

    /// A test that two devices were sent; one of them has stored it.
    static var tests: DeliveryJournal {
        let devices = [DeviceID(high: 0x0A, low: 1), DeviceID(high: 0x0A, low: 2)]
        var journal = DeliveryJournal()
        let draft = NotificationDraft(
            format: .template,
            target: .slots(devices.map { RegistrationTarget(device: $0, slot: 0) }),
            body: Array("{}".utf8),
            timeToLive: .seconds(60)
        )
        func after(_ microseconds: UInt64) -> Instant {
            Instant(nanoseconds: 1_000_000_000 + microseconds * 1_000)
        }
        let record = NotificationRecord(sequence: 17, id: FakeHub.sent, draft: draft)
        journal.begin(record, at: after(0))
        for (kind, time) in [
            (DeliveryStep.Kind.sent(devices[0]), after(250)), (.sent(devices[1]), after(500)),
            (.acknowledged(devices[1], sent: after(500)), after(2_000)),
        ] {
            journal.hear(DeliveryStep(sequence: 17, trace: nil, kind: kind, at: time))
        }
        return journal
    }

    /// Two readings with a hole between them.
    static var history: HistoryRing {
        var ring = HistoryRing(names: ["live", "problems"])
        ring.add([2, 0], at: Timestamp(milliseconds: FakeHub.time.milliseconds - 10_000))
        ring.add([3, 1], at: FakeHub.time)
        return ring
    }

    /// Hubs with the rules that every hub begins with.
    init(_ names: [String]) {
        for name in names.compactMap(HubName.init) {
            // Names of ours and rules of our own making are never refused.
            _ = try? run(.createHub(name, HubDefinition()))
        }
    }

    @discardableResult
    func run(_ change: NamespaceChange) throws(Refusal) -> HubDescription {
        let result: Result<HubDescription, Refusal> = state.withLock { state in
            do throws(Refusal) { return .success(try Self.run(change, &state)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func hub(_ name: HubName) throws(Refusal) -> HubDescription {
        guard let known = state.withLock({ $0.hubs[name] }) else {
            throw .hubNotFound(name: name.description)
        }
        return known
    }

    func hubs(skip: Int, limit: Int) -> ListPage<HubDescription, Int> {
        let all = state.withLock { $0.hubs.values.sorted { $0.name < $1.name } }
        let rest = all.dropFirst(skip)
        return ListPage(Array(rest.prefix(limit)), next: rest.count > limit ? skip + limit : nil)
    }

    private static func run(
        _ change: NamespaceChange,
        _ state: inout State
    ) throws(Refusal) -> HubDescription {
        switch change {
        case .createHub(let name, let definition):
            guard state.hubs[name] == nil else { throw .hubExists(name: name.description) }
            let hub = try HubDescription(creating: name, as: definition, now: FakeHub.time) {
                state.key()
            }
            state.hubs[name] = hub
            return hub
        case .updateHub(let name, let definition):
            guard let known = state.hubs[name] else {
                throw .hubNotFound(name: name.description)
            }
            let later = FakeHub.time.adding(seconds: 60)
            let hub = try known.updated(by: definition, now: later) { state.key() }
            state.hubs[name] = hub
            return hub
        case .renewKey(let name, let rule, let key):
            guard let known = state.hubs[name] else {
                throw .hubNotFound(name: name.description)
            }
            let later = FakeHub.time.adding(seconds: 60)
            let hub = try known.renewing(key, ofRule: rule, now: later) { state.key() }
            state.hubs[name] = hub
            return hub
        case .deleteHub(let name):
            guard let known = state.hubs.removeValue(forKey: name) else {
                throw .hubNotFound(name: name.description)
            }
            return known
        }
    }
}
