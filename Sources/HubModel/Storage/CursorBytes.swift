import HubVocabulary

/// Cursors as bytes, 48 each.
package enum CursorBytes {
    /// Device, acknowledged, scanned through, last seen, evaluated through.
    package static let size = 48
    /// Cursors of a chunk, at most.
    package static let perChunk = 800

    /// The bytes of cursors, in their order.
    package static func pack(_ cursors: [StoredCursor]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cursors.count * size)
        for cursor in cursors { append(cursor, to: &bytes) }
        return bytes
    }

    /// The bytes of changes; a device to be forgotten is one that was last seen in 1970.
    package static func pack(_ changes: [CursorChange]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(changes.count * size)
        for change in changes {
            switch change {
            case .merge(let cursor): append(cursor, to: &bytes)
            case .forget(let device):
                let never = Timestamp(milliseconds: 0)
                append(
                    StoredCursor(
                        device: device,
                        acknowledged: 0,
                        scannedThrough: 0,
                        lastSeen: never
                    ),
                    to: &bytes
                )
            }
        }
        return bytes
    }

    private static func append(_ cursor: StoredCursor, to bytes: inout [UInt8]) {
        bytes.appendBigEndian(cursor.device.high)
        bytes.appendBigEndian(cursor.device.low)
        bytes.appendBigEndian(cursor.acknowledged)
        bytes.appendBigEndian(cursor.scannedThrough)
        bytes.appendBigEndian(cursor.lastSeen.milliseconds)
        bytes.appendBigEndian(cursor.evaluatedThrough)
    }

    /// The changes of bytes whose count is a multiple of `size`.
    package static func changes(_ bytes: [UInt8]) -> [CursorChange] {
        unpack(bytes).map { cursor in
            cursor.lastSeen.milliseconds == 0 ? .forget(cursor.device) : .merge(cursor)
        }
    }

    /// The cursors of bytes whose count is a multiple of `size`.
    package static func unpack(_ bytes: [UInt8]) -> [StoredCursor] {
        stride(from: 0, to: bytes.count, by: size).map { start in
            func integer(_ place: Int) -> UInt64 { UInt64(bigEndian: bytes[(start + place)...]) }
            return StoredCursor(
                device: DeviceID(high: integer(0), low: integer(8)),
                acknowledged: integer(16),
                scannedThrough: integer(24),
                lastSeen: Timestamp(milliseconds: integer(32)),
                evaluatedThrough: integer(40)
            )
        }
    }
}
