import HubVocabulary

/// Registrations, installations or devices by the time at which they lapse: a binary heap, earliest
/// first.
///
/// Entries are not taken out when their subject changes; the caller of `popDue` looks whether an
/// entry still holds. When too many are stale, `prune` leaves only those that hold.
struct ExpiryQueue<Subject: Comparable> {
    /// One entry.
    struct Entry {
        var time: Timestamp
        var subject: Subject

        fileprivate func isBefore(_ other: Entry) -> Bool {
            (time, subject) < (other.time, other.subject)
        }
    }

    private var heap: [Entry] = []

    /// How many entries wait, stale ones included.
    var count: Int { heap.count }

    /// Adds an entry.
    mutating func insert(_ time: Timestamp, _ subject: Subject) {
        heap.append(Entry(time: time, subject: subject))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Whether most entries are stale, if there are `live` subjects that wait.
    ///
    /// Each prune is paid for by at least as many insertions as it looks at.
    func isStale(live: Int) -> Bool { count > 2 * live + 1_024 }

    /// Keeps each subject once, and only where `time` still says what the entry says.
    mutating func prune(_ time: (Subject) -> Timestamp?) {
        var last: Entry?
        // Ascending order is a heap.
        heap = heap.sorted { $0.isBefore($1) }.filter { entry in
            if let last, !last.isBefore(entry) { return false }
            last = entry
            return time(entry.subject) == entry.time
        }
    }

    /// Removes entries whose time has come, at most so many, and returns the subjects of those that
    /// still hold.
    mutating func popDue(
        now: Timestamp,
        looking count: Int,
        where holds: (Subject) -> Bool
    ) -> [Subject] {
        var found: [Subject] = []
        for _ in 0..<count {
            guard let due = popDue(now: now) else { break }
            if holds(due.subject) { found.append(due.subject) }
        }
        return found
    }

    /// Removes and returns the earliest entry if its time has come.
    mutating func popDue(now: Timestamp) -> Entry? {
        guard let first = heap.first, first.time <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
