import HubModel

/// A log with some records that cannot be read.
struct DamagedLog: MissedReading {
    let log: any LogReading
    let damaged: Set<UInt64>
    var purgedGone: UInt64 { log.purgedGone }

    func check(at sequence: UInt64) throws(StoreError) -> UInt32? { try log.check(at: sequence) }

    func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates {
        try log.candidates(anchors: anchors, after: after, through: through, limit: limit)
    }

    func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        try look(at: sequences)
        return try log.records(at: sequences, bytesMax: bytesMax)
    }

    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
        try look(at: sequences)
        return try log.headers(at: sequences)
    }

    private func look(at sequences: ArraySlice<UInt64>) throws(StoreError) {
        for sequence in sequences where damaged.contains(sequence) {
            throw .corrupted("record \(sequence)")
        }
    }
}
