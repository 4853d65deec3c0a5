/// One record of RECEIPTS.
///
///     notification: id16 | event: u8 | action: u8 | slot: u16 | zero: u32 | at_ms: u64
package struct Receipt: Equatable, Sendable {
    /// Which notification.
    package var notification: ID16
    /// See `ReceiptEvent`; data, not structure.
    package var event: UInt8
    /// Index of the chosen action.
    package var action: UInt8
    /// The registration that it came for.
    package var slot: UInt16
    /// When, by the device's clock, in milliseconds since 1970.
    package var time: UInt64

    /// The fields of a record.
    package init(notification: ID16, event: UInt8, action: UInt8 = 0, slot: UInt16, time: UInt64) {
        self.notification = notification
        self.event = event
        self.action = action
        self.slot = slot
        self.time = time
    }
}
