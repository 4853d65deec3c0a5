/// The newest records of a hub, so that a device that was away for a moment, or reads slowly, costs
/// no read of the store.
package struct RecentRecords: Sendable {
    /// Records, the newest ones, whose shelves hold all that the shards made of them.
    private static let freshMax = 256
    /// Bytes of parcels that each of the others holds.
    private static let agedParcelBytes = 2_048

    private let recordsMax: Int
    private let bytesMax: Int
    /// Dense and ascending; those before `start` are dropped already.
    private var records: [NotificationRecord] = []
    private var start = 0
    private var bytes = 0

    /// Keeps at most this many records and bytes of what was sent.
    package init(recordsMax: Int, bytesMax: Int) {
        self.recordsMax = recordsMax
        self.bytesMax = bytesMax
    }

    /// Adds the next records.
    ///
    /// Returns those that are no longer among the newest, for `shrink`.
    package mutating func append(_ added: [NotificationRecord]) -> [NotificationRecord] {
        for record in added {
            records.append(record)
            bytes += record.draft.weight
        }
        while start < records.count, records.count - start > recordsMax || bytes > bytesMax {
            bytes -= records[start].draft.weight
            start += 1
        }
        let fresh = max(start, records.count - Self.freshMax)
        let aged = Array(records[max(start, fresh - added.count)..<fresh])
        // At most every other record is one that was dropped already.
        if start * 2 > records.count {
            records.removeSubrange(..<start)
            start = 0
        }
        return aged
    }

    /// Lets go of most parcels of aged records.
    package static func shrink(_ aged: [NotificationRecord]) {
        for record in aged { record.parcels.shrink(toBytes: agedParcelBytes) }
    }

    /// Returns those of the records at these places, which ascend, that are still kept.
    package func records(at sequences: ArraySlice<UInt64>) -> [NotificationRecord] {
        guard start < records.count else { return [] }
        let first = records[start].sequence
        return sequences.compactMap { sequence in
            guard sequence >= first else { return nil }
            let index = start + Int(clamping: sequence - first)
            return index < records.count ? records[index] : nil
        }
    }

    /// Returns records in `(after, through]`, at most `limit`; nil when the window begins later.
    package func page(after: UInt64, through: UInt64, limit: Int) -> [NotificationRecord]? {
        guard start < records.count else { return nil }
        let first = records[start].sequence
        guard after + 1 >= first, after < through else { return nil }
        let from = start + Int(after + 1 - first)
        guard from < records.count else { return nil }
        let wanted = min(UInt64(limit), through - after)
        let to = min(records.count, from + Int(wanted))
        return Array(records[from..<to])
    }
}
