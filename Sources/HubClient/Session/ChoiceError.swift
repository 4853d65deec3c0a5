public import HubWire

/// Why the app's wish was not even written down.
public enum ChoiceError: Error, Equatable, Sendable {
    /// A device has slots 0 to 15.
    case slotOutOfRange(UInt16)
    /// The frame cannot be made; the number says what is wrong.
    case notEncodable(ErrorNumber)
    /// There is no registration in the slot whose tags could change.
    case nothingInSlot(UInt16)
}
