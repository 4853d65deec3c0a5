/// Slot numbers with a meaning of their own.
///
/// Source: rules B.12.
package enum SlotNumber {
    /// A direct send: no registration.
    package static let direct: UInt16 = 0xFFFF
    /// The first slot the hub gives.
    package static let hubFirst: UInt16 = 0x0100
    /// The last slot the hub gives.
    package static let hubLast: UInt16 = 0xFFFE
    /// UNREGISTER of every slot.
    package static let all: UInt16 = 0xFFFF
}
