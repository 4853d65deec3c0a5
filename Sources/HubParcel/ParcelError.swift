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
