package import HubVocabulary

/// One record of RECEIPTS, with the device that sent it.
package struct DeviceReceipt: Hashable, Sendable {
    /// The device.
    package var device: DeviceID
    /// The notification that it is about.
    package var notification: NotificationID
    /// Its number in the protocol.
    package var event: UInt8
    /// The registration that it came for; 0xFFFF for a direct send.
    package var slot: UInt16

    /// Makes a receipt.
    package init(
        device: DeviceID,
        notification: NotificationID,
        event: UInt8,
        slot: UInt16
    ) {
        self.device = device
        self.notification = notification
        self.event = event
        self.slot = slot
    }
}
