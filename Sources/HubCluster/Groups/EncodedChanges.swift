package import HubModel
package import HubVocabulary

/// Changes of one group as bytes; at least one.
package struct EncodedChanges: Hashable, Sendable {
    /// The check value of the log's head behind the group.
    package let check: UInt32
    /// As `GroupCodec` writes them.
    package let bytes: [UInt8]

    /// Encodes changes; nil when there are none.
    package init?(_ changes: [StoredChange], check: UInt32) {
        guard !changes.isEmpty else { return nil }
        self.check = check
        bytes = GroupCodec.encode(changes, check: check)
    }

    /// Takes bytes that were stored with the group's number, the head behind it and a checksum.
    ///
    /// - Throws: `.badField` for another checksum or no changes, and what the front lacks.
    package init(
        stored bytes: [UInt8],
        of number: UInt64,
        head: UInt64,
        checksum: UInt32
    ) throws(RecordProblem) {
        var reader = try RecordReader(bytes.span, format: GroupCodec.format)
        let front = try ChangesFront(from: &reader)
        guard front.count > 0 else { throw .badField("count") }
        check = front.check
        self.bytes = bytes
        guard self.checksum(of: number, head: head) == checksum else {
            throw .badField("checksum")
        }
    }

    /// The checksum that is stored with the group of a number, behind which the log has a head.
    package func checksum(of number: UInt64, head: UInt64) -> UInt32 {
        var checksum = Checksum([number, head])
        checksum.append(bytes)
        return checksum.value
    }

    /// The changes.
    ///
    /// - Throws: what is wrong with the bytes.
    package func decoded() throws(RecordProblem) -> [StoredChange] {
        try GroupCodec.changes(in: bytes.span)
    }
}
