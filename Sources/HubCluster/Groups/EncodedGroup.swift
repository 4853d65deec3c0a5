/// One group of a hub as it is stored in a database and sent between nodes.
package struct EncodedGroup: Hashable, Sendable {
    /// Dense, from 1, whatever the group holds.
    package let number: UInt64
    /// nil for none; where changes were trimmed they are missing too.
    package let changes: EncodedChanges?
    /// nil for none; a reader who has the records does not get them again.
    package let records: EncodedRecords?

    /// Joins the parts of a group; at least one is there.
    package init(number: UInt64, changes: EncodedChanges?, records: EncodedRecords?) {
        precondition(changes != nil || records != nil, "group \(number) holds nothing")
        self.number = number
        self.changes = changes
        self.records = records
    }

    /// The head of the log before the group.
    package var headBefore: UInt64 { changes?.headBefore ?? records.map { $0.first - 1 } ?? 0 }

    /// The check value there.
    package var checkBefore: UInt32 { changes?.checkBefore ?? records?.checkBelow ?? 0 }

    /// Whether changes and records, where both are here, are those of one place.
    package var isOfOnePlace: Bool {
        guard let changes, let records else { return true }
        return changes.headBefore == records.first - 1 && changes.checkBefore == records.checkBelow
    }

    /// The head of the log behind what is here of the group.
    package var head: UInt64 { records?.last ?? headBefore }

    /// Bytes of both parts.
    package var weight: Int { (changes?.bytes.count ?? 0) + (records?.bytes.count ?? 0) }
}
