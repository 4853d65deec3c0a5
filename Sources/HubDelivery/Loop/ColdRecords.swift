package import HubModel
package import HubVocabulary

/// Records that were read from the store not long ago.
///
/// Devices that were away equally long read the same part of the log. They share the records that
/// the first of them caused to be read, and with the records their parcels: one rendering and one
/// compression for each variant, however many devices follow. Owned by the reader's thread.
package struct ColdRecords {
    private let recordsMax: Int
    private let bytesMax: Int
    private let parcelBytesMax: Int
    private var records: [UInt64: NotificationRecord] = [:]
    /// Sequence numbers in the order in which they were read; those before `oldest` are gone.
    private var order: [UInt64] = []
    private var oldest = 0

    /// Bytes of the bodies that are kept.
    package private(set) var bytes = 0

    /// Keeps nothing yet, and never more than the limits say.
    package init(limits: SessionLimits) {
        recordsMax = limits.catchUp.coldRecordsMax
        bytesMax = limits.catchUp.coldRecordBytesMax
        parcelBytesMax = limits.catchUp.coldParcelBytesMax
    }

    /// How many records are kept.
    package var count: Int { records.count }

    /// The record at a place, if it is kept.
    package subscript(sequence: UInt64) -> NotificationRecord? { records[sequence] }

    /// Keeps records that were just read, in place of those that were read longest ago; of those
    /// that are kept already the shared ones are returned.
    package mutating func share(_ read: [NotificationRecord]) -> [NotificationRecord] {
        let shared = read.map { records[$0.sequence] ?? $0 }
        for record in shared where records[record.sequence] == nil {
            record.parcels.shrink(toBytes: parcelBytesMax)
            records[record.sequence] = record
            order.append(record.sequence)
            bytes += record.draft.weight
        }
        dropOldest()
        return shared
    }

    private mutating func dropOldest() {
        while oldest < order.count, records.count > recordsMax || bytes > bytesMax {
            if let gone = records.removeValue(forKey: order[oldest]) {
                bytes -= gone.draft.weight
            }
            oldest += 1
        }
        // At most every other place is one that is gone already.
        guard oldest * 2 > order.count else { return }
        order.removeSubrange(..<oldest)
        oldest = 0
    }
}
