/// Integers within stored bytes, most significant byte first.
extension [UInt8] {
    /// Sixteen bytes.
    init(high: UInt64, low: UInt64) {
        self = []
        reserveCapacity(16)
        appendStored(high)
        appendStored(low)
    }

    /// Appends eight bytes.
    mutating func appendStored(_ value: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// The integer in the eight bytes from `index`; traps when there are fewer.
    func integer(at index: Int) -> UInt64 {
        var value: UInt64 = 0
        for offset in 0..<8 { value = value << 8 | UInt64(self[index + offset]) }
        return value
    }
}
