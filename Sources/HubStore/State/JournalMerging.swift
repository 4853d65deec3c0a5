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
    /// The part of the journal that is not merged yet.
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
