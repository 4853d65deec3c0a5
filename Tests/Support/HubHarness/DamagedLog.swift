import HubModel

/// A log with some records that cannot be read.
struct DamagedLog: LayeredReading {
    let log: any MissedReading
    let damaged: Set<UInt64>

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
