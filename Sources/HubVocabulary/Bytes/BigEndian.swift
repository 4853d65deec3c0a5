extension [UInt8] {
    /// Appends an integer, most significant byte first.
    @inlinable
    package mutating func appendBigEndian(_ value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}

extension UInt64 {
    /// The first eight bytes, most significant first.
    @inlinable
    package init(bigEndian bytes: some RandomAccessCollection<UInt8>) {
        var value: UInt64 = 0
        for byte in bytes.prefix(8) { value = value << 8 | UInt64(byte) }
        self = value
    }
}
