package import HubVocabulary

/// A change of the cursors that a store keeps.
package enum CursorChange: Equatable, Sendable {
    /// Forgets a device.
    case forget(DeviceID)
    /// Merges by maximum.
    case merge(StoredCursor)

    /// The device whose cursor it is.
    package var device: DeviceID {
        switch self {
        case .forget(let device): device
        case .merge(let cursor): cursor.device
        }
    }
}

extension CheckpointBatch {
    /// The changes in the order in which they count.
    package var cursorChanges: [CursorChange] {
        forgotten.map(CursorChange.forget) + cursors.map(CursorChange.merge)
    }
}
