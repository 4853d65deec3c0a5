import HubModel
import HubVocabulary

/// Cursors as bytes, 48 each.
enum CursorBytes {
    /// Device, acknowledged, scanned through, last seen, evaluated through.
    static let size = 48
    /// Cursors of a chunk, at most.
    static let perChunk = 800

    static func pack(_ cursors: [StoredCursor]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cursors.count * size)
        for cursor in cursors { append(cursor, to: &bytes) }
        return bytes
    }

    /// A device to be forgotten is one that was last seen in 1970.
    static func pack(_ changes: [CursorChange]) -> [UInt8] {
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
        bytes.appendStored(cursor.device.high)
        bytes.appendStored(cursor.device.low)
        bytes.appendStored(cursor.acknowledged)
        bytes.appendStored(cursor.scannedThrough)
        bytes.appendStored(cursor.lastSeen.milliseconds)
        bytes.appendStored(cursor.evaluatedThrough)
    }

    static func changes(_ bytes: [UInt8]) -> [CursorChange] {
        unpack(bytes).map { cursor in
            cursor.lastSeen.milliseconds == 0 ? .forget(cursor.device) : .merge(cursor)
        }
    }

    static func unpack(_ bytes: [UInt8]) -> [StoredCursor] {
        stride(from: 0, to: bytes.count, by: size).map { start in
            StoredCursor(
                device: DeviceID(high: bytes.integer(at: start), low: bytes.integer(at: start + 8)),
                acknowledged: bytes.integer(at: start + 16),
                scannedThrough: bytes.integer(at: start + 24),
                lastSeen: Timestamp(milliseconds: bytes.integer(at: start + 32)),
                evaluatedThrough: bytes.integer(at: start + 40)
            )
        }
    }
}
