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
        for cursor in cursors {
            bytes.appendStored(cursor.device.high)
            bytes.appendStored(cursor.device.low)
            bytes.appendStored(cursor.acknowledged)
            bytes.appendStored(cursor.scannedThrough)
            bytes.appendStored(cursor.lastSeen.milliseconds)
            bytes.appendStored(cursor.evaluatedThrough)
        }
        return bytes
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
