import HubVocabulary

/// A change as a record's body: the parts that it has, in the order of their bits.
///
///     u8 format | u8 parts
///     0x01 place | 0x02 profile | 0x04 receipts | 0x08 entries
///     0x10 u32 count x long notification | 0x20 u64 taken through
enum RecordBody {
    private static let format: UInt8 = 1

    private struct Parts: OptionSet {
        let rawValue: UInt8
        static let place = Parts(rawValue: 0x01)
        static let profile = Parts(rawValue: 0x02)
        static let receipts = Parts(rawValue: 0x04)
        static let entries = Parts(rawValue: 0x08)
        static let added = Parts(rawValue: 0x10)
        static let taken = Parts(rawValue: 0x20)
        static let all: Parts = [.place, .profile, .receipts, .entries, .added, .taken]
    }

    /// Encodes what a change adds to a state; all of it without one.
    static func encode(_ change: StoreChange, after known: DeviceState?) -> [UInt8] {
        let parts = change.state.map { StateParts($0, after: known) }
        var present: Parts = []
        if parts != nil { present.insert(.place) }
        if parts?.profile != nil { present.insert(.profile) }
        if parts?.receipts != nil { present.insert(.receipts) }
        if parts?.entries != nil { present.insert(.entries) }
        if !change.added.isEmpty { present.insert(.added) }
        if change.takenThrough != nil { present.insert(.taken) }
        let size = change.added.reduce(256) { $0 + $1.payload.count + 256 }
        var writer = RecordWriter(format: format, capacity: size)
        writer.integer(present.rawValue)
        if let parts { writer.long(parts.place) }
        if let profile = parts?.profile { writer.long(profile) }
        if let receipts = parts?.receipts { writer.long(receipts) }
        if let entries = parts?.entries { writer.long(entries) }
        if !change.added.isEmpty {
            writer.integer(UInt32(change.added.count))
            for notification in change.added { writer.long(KeptNotification.encode(notification)) }
        }
        if let number = change.takenThrough { writer.integer(number) }
        return writer.bytes
    }

    /// Reads a change of a state.
    static func decode(
        _ bytes: Span<UInt8>,
        after known: DeviceState
    ) throws(RecordProblem) -> StoreChange {
        var reader = try RecordReader(bytes, format: format)
        let present = Parts(rawValue: try reader.integer())
        guard present.isSubset(of: .all) else { throw .badField("parts") }
        var change = StoreChange()
        if present.contains(.place) {
            let place = try reader.long()
            let parts = StateParts(
                place: place,
                profile: try present.contains(.profile) ? reader.long() : nil,
                receipts: try present.contains(.receipts) ? reader.long() : nil,
                entries: try present.contains(.entries) ? reader.long() : nil
            )
            change.state = try parts.state(after: known)
        }
        if present.contains(.added) {
            for _ in 0..<(try reader.integer(UInt32.self)) {
                let kept = try reader.long()
                change.added.append(try KeptNotification.decode(kept.span))
            }
        }
        if present.contains(.taken) { change.takenThrough = try reader.integer() }
        try reader.expectEnd()
        return change
    }
}
