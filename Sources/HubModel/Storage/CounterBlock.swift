import HubVocabulary

/// The counters of consecutive notifications in one row.
///
///     n x ( place: u8 | platform: u8, 255 for the whole notification | kind: u8 | count: varint )
package struct CounterBlock {
    /// One counter.
    private struct Entry {
        /// Place, platform and kind as they are stored; entries ascend by it, each once.
        var name: UInt32
        var count: UInt64
    }

    /// Notifications of a block.
    private static let size: UInt64 = 64
    private static let noPlatform: UInt8 = 255

    /// Counts up with the notifications.
    package let number: UInt64
    private var entries: [Entry] = []

    /// A block without counters.
    package init(number: UInt64) { self.number = number }

    /// Reads what `bytes` wrote; nil for anything else.
    package init?(number: UInt64, _ stored: [UInt8]) {
        self.number = number
        var index = 0
        while index + 3 < stored.count {
            let name = stored[index..<index + 3].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            index += 3
            guard entries.last.map({ $0.name < name }) ?? true, UInt64(name >> 16) < Self.size,
                let count = Self.number(in: stored, at: &index)
            else { return nil }
            entries.append(Entry(name: name, count: count))
        }
        guard index == stored.count else { return nil }
    }

    /// The block of a notification.
    package static func number(of sequence: UInt64) -> UInt64 { sequence / size }

    /// Adds counts of notifications of this block.
    package mutating func add(_ deltas: some Sequence<CounterDelta>) {
        for delta in deltas {
            let platform = delta.platform?.rawValue ?? Self.noPlatform
            let place = UInt32(delta.sequence % Self.size)
            let name = place << 16 | UInt32(platform) << 8 | UInt32(delta.kind.rawValue)
            entries.append(Entry(name: name, count: delta.count))
        }
        entries.sort { $0.name < $1.name }
        var kept = 0
        for entry in entries {
            if kept > 0, entries[kept - 1].name == entry.name {
                entries[kept - 1].count &+= entry.count
            } else {
                entries[kept] = entry
                kept += 1
            }
        }
        entries.removeSubrange(kept...)
    }

    /// The counters of one notification; kinds that this release does not know are left out.
    package func counters(of sequence: UInt64) -> [CounterDelta] {
        entries.filter { UInt64($0.name >> 16) == sequence % Self.size }.compactMap { entry in
            TelemetryKind(rawValue: UInt8(truncatingIfNeeded: entry.name)).map { kind in
                CounterDelta(
                    sequence: sequence,
                    platform: Platform(rawValue: UInt8(truncatingIfNeeded: entry.name >> 8)),
                    kind: kind,
                    count: entry.count
                )
            }
        }
    }

    /// The counters of all its notifications, ascending.
    package var all: [CounterDelta] {
        (number * Self.size..<(number + 1) * Self.size).flatMap { counters(of: $0) }
    }

    /// The same as bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * 5)
        for entry in entries {
            for shift in [16, 8, 0] as [UInt32] {
                bytes.append(UInt8(truncatingIfNeeded: entry.name >> shift))
            }
            var count = entry.count
            while count > 0x7F {
                bytes.append(UInt8(truncatingIfNeeded: count) | 0x80)
                count >>= 7
            }
            bytes.append(UInt8(count))
        }
        return bytes
    }

    /// The number that begins at an index, seven bits in a byte, the lowest first.
    private static func number(in stored: [UInt8], at index: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) where index < stored.count {
            let byte = stored[index]
            index += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
