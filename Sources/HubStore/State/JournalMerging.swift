import HubModel
import HubVocabulary

/// A journal on its way into chunks.
struct JournalMerging {
    /// One row of merged cursors.
    struct Chunk {
        var id: Int64
        /// Its lowest device.
        var first: DeviceID
        /// Its cursors.
        var count: Int
    }

    /// The last row of the journal that is merged.
    let last: Int64
    /// Bytes of the rows up to there.
    let bytes: Int
    /// What was not merged yet.
    var journal: FoldedJournal
    /// Chunks that were not rewritten yet, by device.
    var chunks: [Chunk]
    /// Whether all is merged.
    var isOver = false

    init(last: Int64, bytes: Int, journal: FoldedJournal, chunks: [Chunk]) {
        self.last = last
        self.bytes = bytes
        self.journal = journal
        // Taken from the end.
        self.chunks = chunks.reversed()
    }

    /// The next chunks, of about so many cursors in all.
    mutating func takeChunks(cursors count: Int) -> [Chunk] {
        var taken: [Chunk] = []
        var left = count
        while left > 0, let next = chunks.popLast() {
            taken.append(next)
            left -= next.count
        }
        return taken
    }

    /// Where the present step ends at least: at the next chunk, or after so many cursors of the
    /// journal; nil for the end of both.
    func end(cursors count: Int) -> DeviceID? {
        [chunks.last?.first, journal.device(ahead: count)].compactMap { $0 }.min()
    }
}

/// The cursors of a journal, one for each device, ascending.
struct FoldedJournal {
    /// What the journal says of a device.
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

/// Cursors as bytes, 48 each.
enum CursorBytes {
    /// Device, acknowledged, scanned through, last seen, evaluated through.
    static let size = 48
    /// Cursors of a chunk, at most.
    static let perChunk = 800

    static func pack(_ cursors: [StoredCursor]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cursors.count * size)
        for cursor in cursors {
            bytes.appendStored(cursor.device.high)
            bytes.appendStored(cursor.device.low)
            bytes.appendStored(cursor.acknowledged)
            bytes.appendStored(cursor.scannedThrough)
            bytes.appendStored(cursor.lastSeen.milliseconds)
            bytes.appendStored(cursor.evaluatedThrough)
        }
        return bytes
    }

    static func unpack(_ bytes: [UInt8]) -> [StoredCursor] {
        stride(from: 0, to: bytes.count, by: size).map { start in
            StoredCursor(
                device: DeviceID(high: bytes.integer(at: start), low: bytes.integer(at: start + 8)),
                acknowledged: bytes.integer(at: start + 16),
                scannedThrough: bytes.integer(at: start + 24),
                lastSeen: Timestamp(milliseconds: bytes.integer(at: start + 32)),
                evaluatedThrough: bytes.integer(at: start + 40)
            )
        }
    }
}

extension StoredCursor {
    /// Both, by maximum.
    func merged(_ other: StoredCursor) -> StoredCursor {
        StoredCursor(
            device: device,
            acknowledged: max(acknowledged, other.acknowledged),
            scannedThrough: max(scannedThrough, other.scannedThrough),
            lastSeen: max(lastSeen, other.lastSeen),
            evaluatedThrough: max(evaluatedThrough, other.evaluatedThrough)
        )
    }
}

extension [DeviceID: StoredCursor] {
    /// Takes a cursor by maximum, or forgets what came before.
    mutating func merge(_ cursor: StoredCursor) {
        if cursor.isForgotten {
            self[cursor.device] = nil
        } else {
            self[cursor.device] = self[cursor.device]?.merged(cursor) ?? cursor
        }
    }
}
