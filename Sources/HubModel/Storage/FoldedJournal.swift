package import HubVocabulary

/// The cursors of a journal, one for each device, ascending.
package struct FoldedJournal {
    /// The news of a device in the journal.
    private struct Entry {
        var device: DeviceID
        /// The last one; nil when it is to be forgotten.
        var cursor: StoredCursor?
        /// Whether what came before the journal is to be forgotten.
        var forgetsBefore: Bool

        init(_ change: CursorChange) {
            device = change.device
            switch change {
            case .forget: (cursor, forgetsBefore) = (nil, true)
            case .merge(let cursor): (self.cursor, forgetsBefore) = (cursor, false)
            }
        }

        mutating func fold(_ change: CursorChange) {
            switch change {
            case .forget: self = Entry(change)
            case .merge(let newer): cursor = cursor?.merged(newer) ?? newer
            }
        }
    }

    private var entries: [Entry] = []
    private var next = 0

    /// Folds changes in the order in which they were written.
    package init(_ changes: [CursorChange]) {
        // Sorting is stable, and quick where a checkpoint's cursors are in order already.
        for change in changes.sorted(by: { $0.device < $1.device }) {
            if entries.last?.device == change.device {
                entries[entries.count - 1].fold(change)
            } else {
                entries.append(Entry(change))
            }
        }
    }

    /// Whether everything was taken.
    package var isEmpty: Bool { next == entries.count }

    /// The device so many entries ahead; nil when there are not as many.
    package func device(ahead count: Int) -> DeviceID? {
        next + count < entries.count ? entries[next + count].device : nil
    }

    /// Hands out the cursors of `older`, which ascend, and those of the journal below `end`, each
    /// device once and merged; without an end, all that are left.
    package mutating func merge(
        _ older: [StoredCursor],
        before end: DeviceID?,
        _ body: (StoredCursor) -> Void
    ) {
        for cursor in older {
            take(below: cursor.device, body)
            guard next < entries.count, entries[next].device == cursor.device else {
                body(cursor)
                continue
            }
            let entry = entries[next]
            next += 1
            guard let newer = entry.cursor else { continue }
            body(entry.forgetsBefore ? newer : cursor.merged(newer))
        }
        take(below: end, body)
    }

    private mutating func take(below end: DeviceID?, _ body: (StoredCursor) -> Void) {
        while next < entries.count {
            let entry = entries[next]
            if let end, entry.device >= end { return }
            next += 1
            if let cursor = entry.cursor { body(cursor) }
        }
    }
}
