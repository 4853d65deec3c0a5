import HubModel
import HubVocabulary

/// The place of a device among those that are behind: the furthest one comes first.
package struct DeviceRank: Comparable, Sendable {
    let behind: UInt64
    let device: DeviceID

    /// The rank of a device of a list.
    package init(_ listed: ListedDevice) {
        (behind, device) = (listed.behind, listed.cursor.device)
    }

    /// The rank of a device with so many places before it.
    init(behind: UInt64, device: DeviceID) { (self.behind, self.device) = (behind, device) }

    /// Whether a device comes before another one.
    package static func < (one: DeviceRank, other: DeviceRank) -> Bool {
        one.behind == other.behind ? one.device < other.device : one.behind > other.behind
    }
}
