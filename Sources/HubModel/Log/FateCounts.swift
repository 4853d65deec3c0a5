/// How many matches that a device does not get had which fate.
package struct FateCounts: Hashable, Sendable {
    /// Their time was over.
    package var expired: UInt64 = 0
    /// A later one replaced them.
    package var collapsed: UInt64 = 0
    /// There were too many.
    package var capped: UInt64 = 0
    /// An operator took them back.
    package var purged: UInt64 = 0

    /// Makes counts.
    package init(
        expired: UInt64 = 0,
        collapsed: UInt64 = 0,
        capped: UInt64 = 0,
        purged: UInt64 = 0
    ) {
        self.expired = expired
        self.collapsed = collapsed
        self.capped = capped
        self.purged = purged
    }

    /// Counts a match that is cut; it was due, unless something else had become of it before.
    mutating func add(_ fate: MissedSet.Fate) {
        switch fate {
        case .due, .capped: capped += 1
        case .expired: expired += 1
        case .collapsed: collapsed += 1
        case .purged: purged += 1
        }
    }
}
