import Foundation
import GRDB

extension Row {
    /// The integer in a column; where a damaged file holds none it reads as 0, which no checksum
    /// fits.
    ///
    /// The engine's own subscript ends the process there. Tables without checksums refuse 0 where
    /// it cannot be.
    subscript(index: Int) -> Int64 {
        let value: DatabaseValue = self[index]
        guard case .int64(let number) = value.storage else { return 0 }
        return number
    }

    /// The bytes of a blob column, copied; none for NULL.
    func bytes(at index: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: index) { data in data.map { [UInt8]($0) } ?? [] }
    }

    /// Returns the result of `body`, which borrows the bytes of a blob column; no bytes for NULL.
    func reading<Value>(
        _ index: Int,
        _ body: (Span<UInt8>) throws -> Value
    ) throws -> Value {
        try withUnsafeData(atIndex: index) { data in try body((data ?? Data()).span) }
    }
}
