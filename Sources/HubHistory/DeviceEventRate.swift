package import HubVocabulary

/// Bounds the events of devices that come and go: those above a rate are counted and not told.
package struct DeviceEventRate: Sendable {
    private var second: UInt64 = 0
    private var told = 0
    private var leftOut = 0

    /// None has happened.
    package init() {}

    /// Returns the events that are told of one that happens now, with those left out before it.
    package mutating func admit(_ kind: HubEvent.Kind, at time: Timestamp) -> [HubEvent.Kind] {
        let now = time.milliseconds / 1_000
        if now != second { (second, told) = (now, 0) }
        guard told < HistoryLimits.deviceEventsPerSecond else {
            leftOut += 1
            return []
        }
        told += 1
        defer { leftOut = 0 }
        return leftOut > 0 ? [.leftOut(leftOut), kind] : [kind]
    }
}
