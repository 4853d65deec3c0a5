package import HubModel
package import HubVocabulary

/// Records of one group as bytes; at least one.
package struct EncodedRecords: Hashable, Sendable {
    /// The place of the first.
    package let first: UInt64
    /// How many there are.
    package let count: UInt32
    /// The check value of the record before the first; 0 below place 1.
    package let checkBelow: UInt32
    /// The check value of the last.
    package let check: UInt32
    /// As `GroupCodec` writes them.
    package let bytes: [UInt8]

    /// Encodes records, which ascend without holes; nil when there are none.
    package init?(_ records: [NotificationRecord], checkBelow: UInt32) {
        guard let first = records.first, let last = records.last else { return nil }
        self.first = first.sequence
        count = UInt32(records.count)
        self.checkBelow = checkBelow
        check = last.id.check
        bytes = GroupCodec.encode(records, checkBelow: checkBelow)
    }

    /// Takes bytes that were stored with the group's number and a checksum.
    ///
    /// - Throws: `.badField` for another checksum or no records, and what the front lacks.
    package init(
        stored bytes: [UInt8],
        from first: UInt64,
        of number: UInt64,
        checksum: UInt32
    ) throws(RecordProblem) {
        var reader = try RecordReader(bytes.span, format: GroupCodec.format)
        let front = try RecordsFront(from: &reader)
        guard front.count > 0, first > 0, UInt64.max - first > UInt64(front.count) else {
            throw .badField("count")
        }
        self.first = first
        count = front.count
        checkBelow = front.checkBelow
        check = front.check
        self.bytes = bytes
        guard self.checksum(of: number) == checksum else { throw .badField("checksum") }
    }

    /// The place of the last.
    package var last: UInt64 { first + UInt64(count) - 1 }

    /// The checksum that is stored with the group of a number.
    package func checksum(of number: UInt64) -> UInt32 {
        var checksum = Checksum([number, first])
        checksum.append(bytes)
        return checksum.value
    }

    /// The records.
    ///
    /// - Throws: what is wrong with the bytes.
    package func decoded() throws(RecordProblem) -> [NotificationRecord] {
        try GroupCodec.records(in: bytes.span, from: first)
    }
}
