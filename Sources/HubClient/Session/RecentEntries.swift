package import HubWire

/// The last 1,024 entries that a device stored; after a RESET they tell repeats apart.
///
/// An entry is a notification for one slot, since several registrations of a device may match one
/// notification. Source: rules B.3, B.7.
package struct RecentEntries: Equatable, Sendable {
    /// One stored entry.
    package struct Entry: Hashable, Sendable {
        /// The notification.
        package var id: ID16
        /// The registration that it came for.
        package var slot: UInt16

        /// An entry of its parts.
        package init(id: ID16, slot: UInt16) {
            self.id = id
            self.slot = slot
        }
    }

    /// The entries, oldest first.
    package private(set) var entries: [Entry] = []
    /// New entries that are still compared; 0 when no RESET was lately.
    package private(set) var comparisonsLeft = 0

    /// Remembers nothing yet.
    package init() {}

    /// What was remembered earlier; more than 1,024 are cut to the newest.
    package init(entries: [Entry], comparisonsLeft: Int) {
        self.entries = Array(entries.suffix(WireLimits.resetMemoryMax))
        self.comparisonsLeft = min(max(comparisonsLeft, 0), WireLimits.resetMemoryMax)
    }

    /// Compares what comes from now on, until as many new entries came as are remembered.
    package mutating func beginComparing() {
        comparisonsLeft = entries.isEmpty ? 0 : WireLimits.resetMemoryMax
    }

    /// Whether an entry was stored before a RESET; false when there was none lately.
    package func repeats(_ entry: Entry) -> Bool {
        comparisonsLeft > 0 && entries.contains(entry)
    }

    /// Remembers an entry that is being stored.
    package mutating func record(_ entry: Entry) {
        // Dropping a block at a time keeps this linear over many entries.
        if entries.count >= WireLimits.resetMemoryMax + 64 {
            entries.removeFirst(entries.count - WireLimits.resetMemoryMax + 1)
        }
        entries.append(entry)
        if comparisonsLeft > 0 { comparisonsLeft -= 1 }
    }
}
