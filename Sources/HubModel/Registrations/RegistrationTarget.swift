package import HubVocabulary

/// Which device and slot a registration's handle leads to.
///
/// Source: rules B.12, C.1.
package struct RegistrationTarget: Hashable, Sendable {
    /// The device whose handle it is.
    package var device: DeviceID
    /// 0..15 chosen by the device, 0x0100..0xFFFE given by the hub.
    package var slot: UInt16

    /// Makes a target.
    package init(device: DeviceID, slot: UInt16) {
        self.device = device
        self.slot = slot
    }
}
