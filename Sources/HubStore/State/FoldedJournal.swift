import HubModel
import HubVocabulary

/// The cursors of a journal, one for each device, ascending.
struct FoldedJournal {
    /// A device's cursor in the journal.
    private struct Entry {
        var cursor: StoredCursor
        /// Whether what came before the journal is to be forgotten.
        var forgetsBefore: Bool
    }

    private var entries: [Entry] = []
    private var next = 0

    /// Folds cursors in the order in which they were written.
    init(_ cursors: [StoredCursor]) {
        // Sorting is stable, and quick where a checkpoint's cursors are in order already.
        for cursor in cursors.sorted(by: { $0.device < $1.device }) {
            if let last = entries.last, last.cursor.device == cursor.device {
                entries[entries.count - 1] = Self.fold(last, cursor)
            } else {
                entries.append(Entry(cursor: cursor, forgetsBefore: cursor.isForgotten))
            }
        }
    }

    /// Whether everything was taken.
    var isEmpty: Bool { next == entries.count }

    /// The device so many entries ahead; nil when there are not as many.
    func device(ahead count: Int) -> DeviceID? {
        next + count < entries.count ? entries[next + count].cursor.device : nil
    }

    /// Hands out the cursors of `older`, which ascend, and those of the journal below `end`, each
    /// device once and merged; without an end, all that are left.
    mutating func merge(
        _ older: [StoredCursor],
        before end: DeviceID?,
        _ body: (StoredCursor) -> Void
    ) {
        for cursor in older {
            take(below: cursor.device, body)
            guard next < entries.count, entries[next].cursor.device == cursor.device else {
                body(cursor)
                continue
            }
            let entry = entries[next]
            next += 1
            if !entry.forgetsBefore {
                body(cursor.merged(entry.cursor))
            } else if !entry.cursor.isForgotten {
                body(entry.cursor)
            }
        }
        take(below: end, body)
    }

    private mutating func take(below end: DeviceID?, _ body: (StoredCursor) -> Void) {
        while next < entries.count {
            let entry = entries[next]
            if let end, entry.cursor.device >= end { return }
            next += 1
            if !entry.cursor.isForgotten { body(entry.cursor) }
        }
    }

    private static func fold(_ entry: Entry, _ cursor: StoredCursor) -> Entry {
        if cursor.isForgotten { return Entry(cursor: cursor, forgetsBefore: true) }
        if entry.cursor.isForgotten { return Entry(cursor: cursor, forgetsBefore: true) }
        return Entry(
            cursor: entry.cursor.merged(cursor),
            forgetsBefore: entry.forgetsBefore
        )
    }
}
