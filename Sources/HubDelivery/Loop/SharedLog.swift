import HubModel
import HubVocabulary

/// The log as the reader's thread reads it: the newest records, what was read not long ago, and only
/// then the store.
///
/// Owned by that thread.
final class SharedLog: LayeredReading {
    /// The store's.
    let log: any MissedReading
    private let recent: (ArraySlice<UInt64>) -> [NotificationRecord]
    private let headersMax: Int
    private var cold: ColdRecords
    private var headers: [UInt64: RecordHeader] = [:]
    /// Places in the order in which their headers were read; those before `oldest` are gone.
    private var order: [UInt64] = []
    private var oldest = 0

    init(
        reader: any MissedReading,
        limits: SessionLimits,
        recent: @escaping (ArraySlice<UInt64>) -> [NotificationRecord]
    ) {
        log = reader
        self.recent = recent
        headersMax = limits.catchUp.coldHeadersMax
        cold = ColdRecords(limits: limits)
    }

    func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        var known: [UInt64: NotificationRecord] = [:]
        for record in recent(sequences) { known[record.sequence] = record }
        var missing: [UInt64] = []
        for sequence in sequences where known[sequence] == nil {
            if let record = cold[sequence] {
                known[sequence] = record
            } else {
                missing.append(sequence)
            }
        }
        // Records that the store leaves out for their size are asked for again with the next page.
        var end = UInt64.max
        if !missing.isEmpty {
            let read = try log.records(at: missing[...], bytesMax: bytesMax)
            for record in cold.share(read) { known[record.sequence] = record }
            if let last = read.last?.sequence, let lastMissing = missing.last, last < lastMissing {
                end = last
            }
        }
        var found: [NotificationRecord] = []
        var bytes = 0
        for sequence in sequences {
            guard sequence <= end, let record = known[sequence] else { continue }
            bytes += record.draft.weight
            if bytes > bytesMax, !found.isEmpty { break }
            found.append(record)
        }
        return found
    }

    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
        var known: [UInt64: RecordHeader] = [:]
        for record in recent(sequences) {
            known[record.sequence] = record.header
        }
        var missing: [UInt64] = []
        for sequence in sequences where known[sequence] == nil {
            if let header = headers[sequence] {
                known[sequence] = header
            } else {
                missing.append(sequence)
            }
        }
        if !missing.isEmpty {
            for header in try log.headers(at: missing[...]) {
                known[header.sequence] = header
                keep(header)
            }
        }
        return sequences.compactMap { known[$0] }
    }

    private func keep(_ header: RecordHeader) {
        headers[header.sequence] = header
        order.append(header.sequence)
        while headers.count > headersMax {
            headers[order[oldest]] = nil
            oldest += 1
        }
        // At most every other place is one that is gone already.
        guard oldest * 2 > order.count else { return }
        order.removeSubrange(..<oldest)
        oldest = 0
    }
}
