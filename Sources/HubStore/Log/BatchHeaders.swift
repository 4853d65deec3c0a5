import HubModel
import HubVocabulary

/// The expiries and anchors of a group's records in one row; opening a log reads only these.
///
///     n x ( expires: u64 | u16 n x anchor: u64 )     in the order of the records; big-endian
struct BatchHeaders {
    /// One record of the group.
    struct Entry {
        var expires: Timestamp
        var anchors: [AnchorKey]
    }

    var entries: [Entry]

    init(_ records: [NotificationRecord]) {
        entries = records.map { Entry(expires: $0.expires, anchors: $0.anchors) }
    }

    /// Reads what `bytes` wrote; nil for anything else.
    init?(_ stored: [UInt8]) {
        entries = []
        var index = 0
        while index < stored.count {
            guard index + 10 <= stored.count else { return nil }
            let expires = Timestamp(milliseconds: stored.integer(at: index))
            let count = Int(stored[index + 8]) << 8 | Int(stored[index + 9])
            index += 10
            guard index + count * 8 <= stored.count else { return nil }
            let anchors = (0..<count).map { AnchorKey(raw: stored.integer(at: index + $0 * 8)) }
            index += count * 8
            entries.append(Entry(expires: expires, anchors: anchors))
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.reduce(0) { $0 + 10 + $1.anchors.count * 8 })
        for entry in entries {
            bytes.appendStored(entry.expires.milliseconds)
            let count = UInt16(entry.anchors.count)
            bytes.append(UInt8(count >> 8))
            bytes.append(UInt8(truncatingIfNeeded: count))
            for anchor in entry.anchors { bytes.appendStored(anchor.raw) }
        }
        return bytes
    }
}
