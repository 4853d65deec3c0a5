/// How the payload is coded.
///
/// Source: [P-5].
package enum ParcelCodec: UInt8, CaseIterable, Sendable {
    /// As it is.
    case identity = 0
    /// Raw deflate.
    case deflate = 1
    /// Raw deflate with the well-known dictionary 1. (3 is reserved: `DICT_UNKNOWN`.)
    case wellKnownDictionary = 2
}
