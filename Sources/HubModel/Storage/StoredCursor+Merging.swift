import HubVocabulary

extension StoredCursor {
    /// Both, by maximum.
    package func merged(_ other: StoredCursor) -> StoredCursor {
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
    /// Makes a change.
    package mutating func make(_ change: CursorChange) {
        switch change {
        case .forget(let device): self[device] = nil
        case .merge(let cursor):
            self[cursor.device] = self[cursor.device]?.merged(cursor) ?? cursor
        }
    }
}
