/// One group for the store: changes first, then records.
///
/// Source: rules A.2.
package struct CommitGroup: Sendable {
    /// Dense, from 1; `committed` wants the same group back.
    package let number: UInt64
    /// In an order in which they can be applied.
    package let changes: [StoredChange]
    /// Ascending from the log's head + 1.
    package let records: [NotificationRecord]

    /// Makes one of its parts.
    package init(number: UInt64, changes: [StoredChange], records: [NotificationRecord]) {
        self.number = number
        self.changes = changes
        self.records = records
    }
}
