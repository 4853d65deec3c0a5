import HubModel
import HubVocabulary

extension StoredCursor {
    /// Both, by maximum.
    func merged(_ other: StoredCursor) -> StoredCursor {
        StoredCursor(
            device: device,
            acknowledged: max(acknowledged, other.acknowledged),
            scannedThrough: max(scannedThrough, other.scannedThrough),
            lastSeen: max(lastSeen, other.lastSeen),
            evaluatedThrough: max(evaluatedThrough, other.evaluatedThrough)
        )
    }
}

extension [DeviceID: StoredCursor] {
    /// Takes a cursor by maximum, or forgets what came before.
    mutating func merge(_ cursor: StoredCursor) {
        if cursor.isForgotten {
            self[cursor.device] = nil
        } else {
            self[cursor.device] = self[cursor.device]?.merged(cursor) ?? cursor
        }
    }
}
