import Foundation
import GRDB

/// The value of one column in a row.
enum StoredValue {
    case integer(UInt64)
    case bytes([UInt8])
    case null

    /// As SQL takes it.
    var argument: (any DatabaseValueConvertible)? {
        switch self {
        case .integer(let value): Int64(bitPattern: value)
        case .bytes(let bytes): Data(bytes)
        case .null: nil
        }
    }
}
