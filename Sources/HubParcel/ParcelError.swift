/// Why a parcel is undecodable: an entry error, never a connection error.
///
/// Source: [P-9].
///
/// The device skips the parcel, counts it as stored, and reports receipt event 6. The raw value is
/// the name in Protocol and its vectors.
package enum ParcelError: String, Error, CaseIterable, Sendable {
    /// A header field, option or length breaks a rule.
    case badParcel = "BAD_PARCEL"
    /// The compressed payload is damaged, too short or too long, or has bytes after its end.
    case inflateFailed = "INFLATE_FAILED"
    /// The payload is, or would become, larger than it may.
    case inflateLimit = "INFLATE_LIMIT"
    /// The payload was compressed with a dictionary that version 1 does not have.
    case unknownDictionary = "DICT_UNKNOWN"
}

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
