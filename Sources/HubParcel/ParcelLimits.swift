/// Every limit of a parcel, by name.
///
/// Source: Protocol/parcels.md, "Limits".
package enum ParcelLimits {
    /// Bytes before the collapse key; also the shortest parcel.
    package static let headerBytes = 32
    /// Longest collapse key.
    package static let collapseKeyBytesMax = 64
    /// Longest time to live: 28 days, in seconds.
    package static let ttlSecondsMax: UInt32 = 2_419_200
    /// All options of one parcel together, without their u16 length.
    package static let optionsBytesMax = 4_096
    /// Name or value of a pass-through header.
    package static let headerFieldBytesMax = 255
    /// Payload an encoder accepts, before compression.
    ///
    /// Source: rules C.5.
    package static let payloadBytesMax = 8_192
    /// Highest platform number.
    ///
    /// Source: rules C.7.
    package static let platformMax: UInt8 = 8
    /// Deflate cannot expand further than this factor, plus `expansionSlackBytes`.
    package static let expansionFactorMax = 1_032
    /// Added to the product of compressed size and `expansionFactorMax`.
    package static let expansionSlackBytes = 64
    /// Logarithm of the largest deflate window an encoder may use.
    package static let windowBits: Int32 = 13
}
