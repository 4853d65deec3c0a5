package import HubVocabulary

/// An epoch of a hub's log, and the check value below its first place.
package struct GroupEpoch: Hashable, Sendable {
    /// The epoch and its first place.
    package let place: LogPlace
    /// The check value at the place below; 0 below place 1.
    package let checkBelow: UInt32

    /// Names an epoch.
    package init(place: LogPlace, checkBelow: UInt32) {
        self.place = place
        self.checkBelow = checkBelow
    }
}
