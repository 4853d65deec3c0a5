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
}
