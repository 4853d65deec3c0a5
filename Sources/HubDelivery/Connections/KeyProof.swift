import HubVocabulary
import HubWire

/// The worth of a HELLO's proof by device key.
enum KeyProof {
    /// It was made with the key that the device has now.
    case present
    /// It was made with a key that was revoked.
    case revoked
    /// It was made with no key of the device; nothing tells whether there is such a device.
    case wrong

    /// Revoked keys of a device, the newest, that are told apart from wrong ones.
    private static let revokedMax = 16

    /// Tries the device's keys on a connection with this exporter value.
    init(
        _ hello: borrowing HelloFrame,
        of device: DeviceID,
        in hub: HubShard,
        exporter: [UInt8]
    ) {
        let generation = hub.keyGenerations[device] ?? 0
        let isPresent = Self.accepts(hello, device, generation, hub, exporter)
        // Tried for every device: the time tells a device from none only once it was revoked twice.
        let wasPresent = (0..<max(generation, 1)).suffix(Self.revokedMax).contains {
            Self.accepts(hello, device, $0, hub, exporter)
        }
        if isPresent, device != .none {
            self = .present
        } else {
            self = wasPresent && generation > 0 ? .revoked : .wrong
        }
    }

    private static func accepts(
        _ hello: borrowing HelloFrame,
        _ device: DeviceID,
        _ generation: UInt32,
        _ hub: HubShard,
        _ exporter: [UInt8]
    ) -> Bool {
        DeviceKey(device: device, hub: hub.name, secret: hub.secret, generation: generation)
            .accepts(proof: hello.auth, exporter: exporter, helloPrefix: hello.authenticated)
    }
}
