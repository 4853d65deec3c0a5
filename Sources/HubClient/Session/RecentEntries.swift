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

    /// Entries that are kept at least, once there were so many.
    package static let leastKept = WireLimits.resetMemoryMax
    /// Entries kept at most; dropping a block at a time keeps recording linear.
    private static let entriesMax = WireLimits.resetMemoryMax + 64

    /// The entries, oldest first.
    package private(set) var entries: [Entry] = []
    /// How many were ever recorded.
    package private(set) var recorded: UInt64 = 0
    /// New entries that are still compared; 0 when no RESET was lately.
    package private(set) var comparisonsLeft = 0

    /// Remembers nothing yet.
    package init() {}

    /// Takes entries that were remembered earlier; of more than a memory holds, the newest.
    package init(entries: [Entry], recorded: UInt64, comparisonsLeft: Int) {
        self.entries =
            entries.count > Self.entriesMax
            ? Array(entries.suffix(WireLimits.resetMemoryMax)) : entries
        self.recorded = recorded
        self.comparisonsLeft = min(max(comparisonsLeft, 0), WireLimits.resetMemoryMax)
    }

    /// The entries that were recorded since an earlier state of this memory; all without one.
    package func recorded(after earlier: RecentEntries?) -> ArraySlice<Entry> {
        guard let earlier else { return entries[...] }
        return entries.suffix(Int(clamping: recorded - min(recorded, earlier.recorded)))
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
        if entries.count >= Self.entriesMax {
            entries.removeFirst(entries.count - WireLimits.resetMemoryMax + 1)
        }
        entries.append(entry)
        recorded += 1
        if comparisonsLeft > 0 { comparisonsLeft -= 1 }
    }
}
