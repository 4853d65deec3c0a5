/// One group of a hub as it is stored in a database and sent between nodes.
package struct EncodedGroup: Hashable, Sendable {
    /// Dense, from 1, whatever the group holds.
    package let number: UInt64
    /// The highest sequence number of the log behind the group.
    package let head: UInt64
    /// nil for none; where changes were trimmed they are missing too.
    package let changes: EncodedChanges?
    /// nil for none.
    package let records: EncodedRecords?

    /// Joins the parts of a group; `head` is that of its last record, if it has any.
    package init(
        number: UInt64,
        head: UInt64,
        changes: EncodedChanges?,
        records: EncodedRecords?
    ) {
        precondition(records.map { $0.last == head } ?? true, "head \(head) behind other records")
        precondition(changes != nil || records != nil, "group \(number) holds nothing")
        self.number = number
        self.head = head
        self.changes = changes
        self.records = records
    }

    /// The head before the group, which tombstones and tags of its changes go by.
    package var headBefore: UInt64 { records.map { $0.first - 1 } ?? head }

    /// The check value at the head before the group.
    package var checkBefore: UInt32 { records?.checkBelow ?? changes?.check ?? 0 }

    /// Bytes of both parts.
    package var weight: Int { (changes?.bytes.count ?? 0) + (records?.bytes.count ?? 0) }
}
