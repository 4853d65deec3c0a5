import HubModel
import HubVocabulary

/// A change of the cursors that a store keeps.
enum CursorChange {
    case forget(DeviceID)
    /// Merges by maximum.
    case merge(StoredCursor)

    var device: DeviceID {
        switch self {
        case .forget(let device): device
        case .merge(let cursor): cursor.device
        }
    }
}

extension CheckpointBatch {
    /// The changes in the order in which they count.
    var cursorChanges: [CursorChange] {
        forgotten.map(CursorChange.forget) + cursors.map(CursorChange.merge)
    }
}
