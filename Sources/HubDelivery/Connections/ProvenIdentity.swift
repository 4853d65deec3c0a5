import HubModel
import HubVocabulary

/// The device that a HELLO proved to be.
struct ProvenIdentity {
    var device: DeviceID
    var generation: UInt32
    /// The token of a new device.
    var grant: AccessGrant?

    var isNew: Bool { grant != nil }
}
