package import HubModel
package import HubVocabulary

/// The ids and formats of the newest records, so that receipts and requests find them without a
/// read of the log.
///
/// Ids ascend with sequence numbers. Source: rules A.8.
package struct RecentNotifications {
    private struct Entry {
        var id: NotificationID
        var format: NotificationFormat
        var isBroadcast: Bool
    }

    private let sizeMax: Int
    private var ring: [Entry] = []
    private var last: UInt64 = 0

    /// Remembers at most so many.
    package init(sizeMax: Int) { self.sizeMax = max(1, sizeMax) }

    /// Remembers the next record; a hole in the numbers forgets the older ones.
    package mutating func append(_ record: NotificationRecord) {
        if record.sequence != last + 1 { ring.removeAll(keepingCapacity: true) }
        last = record.sequence
        var entry = Entry(id: record.id, format: record.draft.format, isBroadcast: false)
        if case .broadcast = record.draft.target { entry.isBroadcast = true }
        if ring.count < sizeMax {
            if ring.isEmpty { first = last }
            ring.append(entry)
        } else {
            ring[place(of: last)] = entry
        }
    }

    /// The sequence number in the ring's first place in its first round.
    private var first: UInt64 = 0

    private func place(of sequence: UInt64) -> Int { Int((sequence - first) % UInt64(sizeMax)) }

    /// The lowest sequence number that is remembered; above the highest when none is.
    private var lowest: UInt64 { last + 1 - UInt64(ring.count) }

    /// When the record at a place was accepted, if it is remembered.
    package func time(at sequence: UInt64) -> Timestamp? {
        guard sequence >= lowest, sequence <= last, !ring.isEmpty else { return nil }
        return ring[place(of: sequence)].id.time
    }

    /// Whether a record with this id would be among these, if there is one.
    package func covers(_ id: NotificationID) -> Bool {
        guard !ring.isEmpty else { return false }
        return !(id < ring[place(of: lowest)].id)
    }

    /// The place and format of a record, and whether it is for all, if it is remembered.
    package func find(
        _ id: NotificationID
    ) -> (sequence: UInt64, format: NotificationFormat, isBroadcast: Bool)? {
        guard covers(id) else { return nil }
        var low = lowest
        var high = last
        while low < high {
            let middle = low + (high - low + 1) / 2
            if id < ring[place(of: middle)].id { high = middle - 1 } else { low = middle }
        }
        let entry = ring[place(of: low)]
        return entry.id == id ? (low, entry.format, entry.isBroadcast) : nil
    }
}
