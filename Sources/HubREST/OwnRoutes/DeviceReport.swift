import HubModel
import HubQuestions
import HubVocabulary

/// A device as lists show it.
struct DeviceReport: Encodable {
    private enum State: String, Encodable {
        case away
        case connected
    }

    private let acknowledged: UInt64
    private let behind: UInt64
    private let device: String
    private let keyGeneration: UInt32
    private let lastSeen: String
    private let registrations: Int
    private let state: State

    init(_ found: ListedDevice) {
        let id = found.cursor.device
        acknowledged = found.cursor.acknowledged
        behind = found.behind
        device = HexText.digits(id.high) + HexText.digits(id.low)
        keyGeneration = found.keyGeneration
        lastSeen = TimeText.iso8601(found.cursor.lastSeen)
        registrations = found.registrations
        state = found.isConnected ? .connected : .away
    }
}
