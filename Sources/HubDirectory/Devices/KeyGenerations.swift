import HubModel
import HubVocabulary

/// The key generation of each device whose key was revoked.
///
/// A device's key and handle are derived from its generation; raising it makes both worthless.
final class KeyGenerations: GroupPart {
    private var durable: [DeviceID: UInt32] = [:]
    /// Generations that the present group makes, in order.
    private var raised: [(device: DeviceID, generation: UInt32)] = []

    /// The generation that a device must prove.
    subscript(device: DeviceID) -> UInt32 { durable[device] ?? 0 }

    /// Devices whose keys were revoked, ascending, with their present generation.
    var all: [(device: DeviceID, generation: UInt32)] {
        durable.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The generation that the present group made last for a device; nil for none.
    func raised(of device: DeviceID) -> UInt32? { raised.last { $0.device == device }?.generation }

    /// Makes a generation with the group.
    func raise(_ device: DeviceID, to generation: UInt32) { raised.append((device, generation)) }

    /// Sets a generation that is durable.
    func set(_ generation: UInt32, of device: DeviceID) { durable[device] = generation }

    // MARK: The group

    var storedChanges: [StoredChange] {
        raised.map { .revoke($0.device, generation: $0.generation) }
    }

    var touchedCount: Int { raised.count }

    func settle(_ outcome: GroupOutcome, _ news: inout GroupNews) {
        let all = raised
        raised.removeAll(keepingCapacity: true)
        guard outcome.areChangesDurable else { return }
        for (device, generation) in all {
            set(generation, of: device)
            news.broadcasts.append(.revoked(device, generation: generation))
        }
    }
}
