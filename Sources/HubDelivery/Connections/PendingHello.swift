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

    /// Notes what a proven HELLO asks for, within the limits.
    init(
        _ hello: borrowing HelloFrame,
        _ identity: ProvenIdentity,
        hub: Int,
        _ limits: SessionLimits
    ) {
        self.hub = hub
        device = identity.device
        isNew = identity.isNew
        keyGeneration = identity.generation
        capabilities = hello.message.capabilities
        window = FlightWindow(
            messagesMax: min(UInt32(hello.message.windowMessages), limits.windowMessagesMax),
            bytesMax: min(hello.message.windowBytes, limits.windowBytesMax)
        )
        keepAlive = min(
            max(limits.timers.keepAliveSeconds, hello.message.keepaliveMin),
            hello.message.keepaliveMax
        )
    }
}
