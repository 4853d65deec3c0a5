import HubVocabulary

/// The device that a HELLO proved to be.
struct ProvenIdentity {
    var device: DeviceID
    var generation: UInt32
    var isNew: Bool
}
