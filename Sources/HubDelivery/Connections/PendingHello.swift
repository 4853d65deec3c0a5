import HubVocabulary
import HubWire

/// HELLO's part that WELCOME needs when the directory has answered.
struct PendingHello {
    var hub: Int
    var device: DeviceID
    var isNew: Bool
    var keyGeneration: UInt32
    var capabilities: Capabilities
    var window: FlightWindow
    var keepAlive: UInt16
}
