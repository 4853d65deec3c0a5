/// The u16 of flags at offset 4: the low byte is critical, the high byte advisory.
///
/// Source: [P-4].
package struct ParcelFlags: OptionSet, Sendable {
    /// All sixteen bits.
    package let rawValue: UInt16

    /// Takes the bits as they are.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// An options block follows the collapse key.
    package static let hasOptions = ParcelFlags(rawValue: 0x0001)
    /// The sender asks for a receipt when the device has stored the notification.
    package static let wantsStoredReceipt = ParcelFlags(rawValue: 0x0004)
    /// The sender asks for receipts of what the user did.
    package static let wantsUserReceipt = ParcelFlags(rawValue: 0x0008)
    /// Nothing is shown; the app works in the background.
    package static let isSilent = ParcelFlags(rawValue: 0x0020)
    /// Advisory: a template registration got it; otherwise a native one.
    package static let isTemplate = ParcelFlags(rawValue: 0x0100)

    /// Critical bits that version 1 defines; any other critical bit makes a parcel undecodable.
    static let definedCritical: UInt16 = 0x0001 | 0x0004 | 0x0008 | 0x0020
    /// The critical half.
    static let critical: UInt16 = 0x00FF
}
