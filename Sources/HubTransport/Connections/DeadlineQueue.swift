import HubVocabulary

/// Connections whose deadline is a fixed time after they joined, earliest first.
///
/// A connection's own row holds the deadline in force; entries that no longer fit it are
/// dropped when their turn comes, so cancelling costs nothing.
struct DeadlineQueue {
    private struct Entry {
        let connection: ConnectionID
        let nanoseconds: UInt64
    }

    private var entries: [Entry] = []
    private var first = 0

    /// When the first entry's turn comes.
    var next: UInt64? { first < entries.count ? entries[first].nanoseconds : nil }

    mutating func append(_ connection: ConnectionID, at nanoseconds: UInt64) {
        entries.append(Entry(connection: connection, nanoseconds: nanoseconds))
    }

    /// Takes the first entry if its time has come.
    mutating func popDue(at nanoseconds: UInt64) -> ConnectionID? {
        guard first < entries.count, entries[first].nanoseconds <= nanoseconds else { return nil }
        let connection = entries[first].connection
        first += 1
        if first == entries.count {
            entries.removeAll(keepingCapacity: entries.count < 1_024)
            first = 0
        } else if first >= 1_024, first * 2 > entries.count {
            entries.removeFirst(first)
            first = 0
        }
        return connection
    }
}
