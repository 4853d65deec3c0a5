import HubWire

/// The size and the reason of a loss, as far as the hub knows them.
public struct LossNotice: Equatable, Sendable {
    /// Why the hub cannot give the device everything.
    public enum Reason: String, Equatable, Sendable {
        /// More waited than the hub keeps for one device.
        case deviceCap = "device cap"
        /// The hub lost history, or does not know this device's position.
        case historyLost = "history lost"
        /// An operator purged notifications.
        case purge
        /// The hub no longer knows the tags that the registration had then.
        case tagHistoryCut = "tag history cut"
        /// The hub's history is not the one that the device knows.
        case reset
    }

    /// Why.
    public var reason: Reason
    /// How many; nil when the hub does not know.
    public var lost: Int?
    /// The position from now on.
    public var position: UInt64

    init(reason: Reason, lost: UInt32, position: UInt64) {
        self.reason = reason
        self.lost = lost == .max ? nil : Int(lost)
        self.position = position
    }

    init(_ gap: LinkGap) {
        let reason: Reason =
            switch GapReason(rawValue: gap.reason) {
            case .deviceCap: .deviceCap
            case .purge: .purge
            case .tagHistoryCut: .tagHistoryCut
            case .historyLost, .moved, nil: .historyLost
            }
        self.init(reason: reason, lost: gap.lost, position: gap.to)
    }
}
