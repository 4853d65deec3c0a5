/// A row of the journal of cursors, up to which someone has everything.
package struct JournalMark: Hashable, Sendable {
    /// The number of the checkpoint that wrote the row.
    package let number: UInt64
    /// The checksum of the row: another past has another row of the same number.
    package let checksum: UInt64

    /// Joins both.
    package init(number: UInt64, checksum: UInt64) {
        (self.number, self.checksum) = (number, checksum)
    }
}
