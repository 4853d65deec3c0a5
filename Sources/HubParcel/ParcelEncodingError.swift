/// Why a description cannot become a parcel, with the numbers that explain it.
package enum ParcelEncodingError: Error, Equatable, Sendable {
    /// The payload exceeds `ParcelLimits.payloadBytesMax`.
    case payloadTooLarge(bytes: Int)
    /// The collapse key exceeds `ParcelLimits.collapseKeyBytesMax`.
    case collapseKeyTooLong(bytes: Int)
    /// The time to live exceeds `ParcelLimits.ttlSecondsMax`.
    case ttlTooLong(seconds: UInt32)
    /// The options, mostly the pass-through headers, exceed `ParcelLimits.optionsBytesMax`.
    case optionsTooLarge(bytes: Int)
    /// A header's name is empty, or name or value is over 255 bytes, not UTF-8 or holds a control
    /// character; `index` counts from 0.
    case headerInvalid(index: Int)
    /// The platform number exceeds `ParcelLimits.platformMax`.
    case unknownPlatform(UInt8)
}
