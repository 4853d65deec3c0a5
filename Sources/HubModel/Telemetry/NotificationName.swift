package import HubVocabulary

/// How a caller names a notification: the id at the end of `Location`, or the bare id.
///
///     01935f0d7e3b5a4f62917d5c0a9be83f-20260504091203-17-1    id, time, place, partition
///     01935f0d7e3b5a4f62917d5c0a9be83f                        32 hex digits, or as a UUID
///
/// Source: REST §8.1, §12.
package struct NotificationName: Hashable, Sendable {
    /// The id.
    package var id: NotificationID
    /// Its place in the log, where the name tells it.
    package var sequence: UInt64?

    /// Names a notification.
    package init(id: NotificationID, sequence: UInt64? = nil) {
        self.id = id
        self.sequence = sequence
    }

    /// Reads a name; nil when it is none in any spelling.
    package init?(parsing text: [UInt8]) {
        let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        switch parts.count {
        case 1: self.init(digits: first, sequence: nil)
        case 5 where parts.map(\.count) == [8, 4, 4, 4, 12]:
            self.init(digits: text.filter { $0 != UInt8(ascii: "-") }[...], sequence: nil)
        case 4:
            guard let place = ASCII.decimal(Array(parts[2])), place > 0,
                ASCII.decimal(Array(parts[1])) != nil, ASCII.decimal(Array(parts[3])) != nil
            else { return nil }
            self.init(digits: first, sequence: place)
        default: return nil
        }
    }

    private init?(digits: ArraySlice<UInt8>, sequence: UInt64?) {
        guard digits.count == 32, let bytes = HexText.decode(Array(digits).span) else { return nil }
        id = NotificationID(
            high: UInt64(bigEndian: bytes),
            low: UInt64(bigEndian: bytes.dropFirst(8))
        )
        self.sequence = sequence
    }
}
