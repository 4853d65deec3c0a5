import HubModel

/// The records that a lane is reading, and those that it needs for requests.
struct RelayRecords {
    /// Free places for records, as the lane told them.
    struct Places {
        var large: Int
        var small: Int
        var smallMatches: Int

        /// Takes a place for an audience; false when there is none.
        mutating func take(_ audience: [UInt32], matchesOfSmallMax: Int) -> Bool {
            if audience.count > matchesOfSmallMax {
                guard large > 0 else { return false }
                large -= 1
            } else {
                guard small > 0, smallMatches >= audience.count else { return false }
                small -= 1
                smallMatches -= audience.count
            }
            return true
        }
    }

    /// Records whose audiences were asked for.
    struct Reading {
        var records: [NotificationRecord]
        var places: Places
        var after: UInt64
        var through: UInt64
        /// The audience of the first record as far as it has come.
        var begun: [UInt32] = []

        var sequences: [UInt64] { records.map(\.sequence) }
    }

    /// Records that are kept in memory at most; others are read again.
    private static let keptMax = 256

    var reading: Reading?
    /// The forms of their requests.
    var forms = RelayForms()
    /// The log's last record.
    var head: UInt64 = 0
    private var kept: [UInt64: NotificationRecord] = [:]
    private var order: [UInt64] = []
    /// The handles of the last direct send, by their numbers.
    private var direct: (sequence: UInt64, handles: [UInt32: [UInt8]]) = (0, [:])

    /// Keeps a record for requests.
    mutating func keep(_ record: NotificationRecord) {
        guard kept.updateValue(record, forKey: record.sequence) == nil else { return }
        order.append(record.sequence)
        if order.count > Self.keptMax { kept[order.removeFirst()] = nil }
    }

    /// The handle that a direct send names and that has a number; nil when there is none.
    mutating func handle(_ number: UInt32, of record: NotificationRecord) -> [UInt8]? {
        guard case .handles(let handles) = record.draft.target else { return nil }
        if direct.sequence != record.sequence {
            direct = (record.sequence, DirectHandles.byNumber(handles))
        }
        return direct.handles[number]
    }

    /// A record that is kept, or that the log has.
    mutating func record(
        at sequence: UInt64,
        _ log: any LogReading
    ) throws(StoreError) -> NotificationRecord? {
        if let known = kept[sequence] { return known }
        let found = try log.records(at: [sequence], bytesMax: .max).first
        if let found { keep(found) }
        return found
    }
}
