/// The value of one column in a row.
enum StoredValue {
    /// Bits of an integer, which SQL calls signed.
    case integer(UInt64)
    case bytes([UInt8])
    case null
}
