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
    /// Eight bytes from `start`, most significant first; traps when there are fewer.
    package init(bigEndian bytes: some RandomAccessCollection<UInt8>) {
        self = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
