package import HubVocabulary

/// A journal on its way into chunks.
package struct JournalMerging {
    /// One row of merged cursors.
    package struct Chunk {
        /// Its row.
        package var id: Int64
        /// Its lowest device.
        package var first: DeviceID
        /// Its cursors.
        package var count: Int

        /// Makes one of its parts.
        package init(id: Int64, first: DeviceID, count: Int) {
            self.id = id
            self.first = first
            self.count = count
        }
    }

    /// The last row of the journal that is merged.
    package let last: Int64
    /// Bytes of the rows up to there.
    package let bytes: Int
    /// The part of the journal that is not merged yet.
    package var journal: FoldedJournal
    /// Chunks that were not rewritten yet, by device.
    package private(set) var chunks: [Chunk]
    /// Whether all is merged.
    package var isOver = false

    /// Begins with all that is there.
    package init(last: Int64, bytes: Int, journal: FoldedJournal, chunks: [Chunk]) {
        self.last = last
        self.bytes = bytes
        self.journal = journal
        // Taken from the end.
        self.chunks = chunks.reversed()
    }

    /// The next chunks, of about so many cursors in all.
    package mutating func takeChunks(cursors count: Int) -> [Chunk] {
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
    package func end(cursors count: Int) -> DeviceID? {
        [chunks.last?.first, journal.device(ahead: count)].compactMap { $0 }.min()
    }
}
