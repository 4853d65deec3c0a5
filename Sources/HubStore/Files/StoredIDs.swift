import HubModel
import HubVocabulary

/// An identifier that is kept as 16 bytes.
protocol StoredID {
    var high: UInt64 { get }
    var low: UInt64 { get }

    init(high: UInt64, low: UInt64)
}

extension StoredID {
    /// The 16 bytes.
    var stored: [UInt8] { [UInt8](high: high, low: low) }

    /// Reads 16 bytes; nil for any other number of them.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(high: bytes.integer(at: 0), low: bytes.integer(at: 8))
    }
}

extension DeviceID: StoredID {}
extension KeyHash: StoredID {}
extension NotificationID: StoredID {}
extension ScheduleID: StoredID {}
