import HubVocabulary

/// Cursors and their changes as bytes, 48 each, big-endian.
///
///     | 0 device: 16 | 16 acknowledged: 8 | 24 scanned through: 8 |
///     | 32 kind: 1, 0 for a cursor, 1 for a device to be forgotten | 33 last seen: 7, milliseconds |
///     | 40 evaluated through: 8 |
///
/// Of a device to be forgotten all that follows the kind is zero.
package enum CursorBytes {
    /// Bytes of a cursor or a change.
    package static let size = 48
    /// Cursors of a chunk, at most.
    package static let perChunk = 800

    /// A device to be forgotten, in the eight bytes of kind and time.
    private static let forget: UInt64 = 1 << 56

    /// The bytes of cursors, in their order.
    package static func pack(_ cursors: [StoredCursor]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cursors.count * size)
        for cursor in cursors { append(cursor, to: &bytes) }
        return bytes
    }

    /// The bytes of changes, in their order.
    package static func pack(_ changes: [CursorChange]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(changes.count * size)
        for change in changes {
            switch change {
            case .merge(let cursor): append(cursor, to: &bytes)
            case .forget(let device): append(device, 0, 0, forget, 0, to: &bytes)
            }
        }
        return bytes
    }

    private static func append(_ cursor: StoredCursor, to bytes: inout [UInt8]) {
        append(
            cursor.device,
            cursor.acknowledged,
            cursor.scannedThrough,
            // A time of two million years would be another kind.
            min(cursor.lastSeen.milliseconds, forget - 1),
            cursor.evaluatedThrough,
            to: &bytes
        )
    }

    private static func append(
        _ device: DeviceID,
        _ acknowledged: UInt64,
        _ scannedThrough: UInt64,
        _ kindAndTime: UInt64,
        _ evaluatedThrough: UInt64,
        to bytes: inout [UInt8]
    ) {
        bytes.appendBigEndian(device.high)
        bytes.appendBigEndian(device.low)
        bytes.appendBigEndian(acknowledged)
        bytes.appendBigEndian(scannedThrough)
        bytes.appendBigEndian(kindAndTime)
        bytes.appendBigEndian(evaluatedThrough)
    }

    /// The changes that `pack` wrote; nil for other bytes.
    package static func changes(_ bytes: [UInt8]) -> [CursorChange]? {
        guard bytes.count % size == 0 else { return nil }
        var changes: [CursorChange] = []
        changes.reserveCapacity(bytes.count / size)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let (cursor, kind) = row(bytes.span.extracting(start..<start + size))
            switch kind {
            case 0: changes.append(.merge(cursor))
            case 1: changes.append(.forget(cursor.device))
            default: return nil
            }
        }
        return changes
    }

    /// The cursors that `pack` wrote; nil for other bytes.
    package static func cursors(_ bytes: [UInt8]) -> [StoredCursor]? {
        guard bytes.count % size == 0 else { return nil }
        var cursors: [StoredCursor] = []
        cursors.reserveCapacity(bytes.count / size)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let (cursor, kind) = row(bytes.span.extracting(start..<start + size))
            guard kind == 0 else { return nil }
            cursors.append(cursor)
        }
        return cursors
    }

    private static func row(_ bytes: Span<UInt8>) -> (cursor: StoredCursor, kind: UInt64) {
        let (kind, time) = integer(bytes, 32).quotientAndRemainder(dividingBy: forget)
        let cursor = StoredCursor(
            device: DeviceID(high: integer(bytes, 0), low: integer(bytes, 8)),
            acknowledged: integer(bytes, 16),
            scannedThrough: integer(bytes, 24),
            lastSeen: Timestamp(milliseconds: time),
            evaluatedThrough: integer(bytes, 40)
        )
        return (cursor, kind)
    }

    private static func integer(_ bytes: Span<UInt8>, _ place: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in place..<place + 8 { value = value << 8 | UInt64(bytes[index]) }
        return value
    }
}
