package import HubModel
package import HubVocabulary

/// How far the newest test sends of a hub came at each of their devices, with times.
package struct DeliveryJournal: Sendable {
    /// A device to which a test was sent; times are milliseconds since the test was durable.
    package struct Device: Equatable, Sendable {
        /// The device.
        package let device: DeviceID
        /// When it was written to the device's connection.
        package let sent: Double
        /// When the device had stored it; nil until it says so.
        package fileprivate(set) var acknowledged: Double?
    }

    private struct Test {
        let id: NotificationID
        let sequence: UInt64
        let accepted: Instant
        var devices: [Device] = []
    }

    /// Ascending by sequence.
    private var tests: [Test] = []

    /// No test was sent.
    package init() {}

    /// A record is durable, which may be a test; call it before shards hear of it.
    package mutating func begin(_ record: NotificationRecord, at now: Instant) {
        guard case .slots = record.draft.target else { return }
        if tests.count >= HistoryLimits.tests { tests.removeFirst() }
        tests.append(Test(id: record.id, sequence: record.sequence, accepted: now))
    }

    /// A shard tells a step.
    package mutating func hear(_ step: DeliveryStep) {
        guard let place = tests.lastIndex(where: { $0.sequence == step.sequence }) else { return }
        let accepted = tests[place].accepted
        func passed(_ time: Instant) -> Double {
            Double(time.nanoseconds - min(accepted.nanoseconds, time.nanoseconds)) / 1_000_000
        }
        switch step.kind {
        case .selected: return
        case .sent(let device):
            tests[place].devices.append(Device(device: device, sent: passed(step.at)))
        case .acknowledged(let device, _):
            let known = tests[place].devices.firstIndex { $0.device == device }
            if let known { tests[place].devices[known].acknowledged = passed(step.at) }
        }
    }

    /// Returns the devices to which a test was sent, in the order of these; nil for a notification
    /// that is no test, or an old one.
    package func devices(of id: NotificationID) -> [Device]? {
        tests.last { $0.id == id }?.devices
    }
}
