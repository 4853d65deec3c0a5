package import HubModel
package import HubVocabulary

/// Changes of one group as bytes; at least one.
package struct EncodedChanges: Hashable, Sendable {
    /// The head of the log before the group, by which tombstones and tags go.
    package let headBefore: UInt64
    /// The check value there.
    package let checkBefore: UInt32
    /// As `GroupCodec` writes them.
    package let bytes: [UInt8]

    /// Encodes changes; nil when there are none.
    package init?(_ changes: [StoredChange], headBefore: UInt64, checkBefore: UInt32) {
        guard !changes.isEmpty else { return nil }
        self.headBefore = headBefore
        self.checkBefore = checkBefore
        bytes = GroupCodec.encode(changes, check: checkBefore)
    }

    /// Takes bytes that were stored with the group's number, the head before it and a checksum.
    ///
    /// - Throws: `.badField` for another checksum, no changes or no place behind them, and what the
    ///   front lacks.
    package init(
        stored bytes: [UInt8],
        of number: UInt64,
        headBefore: UInt64,
        checksum: UInt32
    ) throws(RecordProblem) {
        var reader = try RecordReader(bytes.span, format: GroupCodec.format)
        let front = try ChangesFront(from: &reader)
        guard front.count > 0 else { throw .badField("count") }
        guard headBefore < .max else { throw .badField("head") }
        self.headBefore = headBefore
        checkBefore = front.check
        self.bytes = bytes
        guard self.checksum(of: number) == checksum else {
            throw .badField("checksum")
        }
    }

    /// The checksum that is stored with the group of a number.
    package func checksum(of number: UInt64) -> UInt32 {
        var checksum = Checksum([number, headBefore])
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
