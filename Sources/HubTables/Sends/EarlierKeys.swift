package import HubModel
import HubVocabulary

/// The keys of the last 24 hours that a start has not taken into memory: they are read from the log
/// bit by bit, on any thread, and the table takes what is known of them then.
package struct EarlierKeys: Sendable {
    /// Keys of a page: some milliseconds of work.
    package static let keysPerPage = 4_096

    /// Those accepted before count no more.
    let since: Timestamp
    private let through: UInt64
    /// Those of schedules, which go behind the others.
    private let schedules: [StoredKey]
    private(set) var filter: KeyFilter
    /// Keys accepted up to then were forgotten for want of room.
    private(set) var forgotten: Timestamp
    private var end: UInt64 = 0
    /// Whether all are read.
    package private(set) var isWhole = false

    /// Keys of records up to `through`, and those of schedules; more of these than are given were
    /// accepted up to `forgotten`.
    init(
        since: Timestamp,
        through: UInt64,
        schedules: [StoredKey],
        forgotten: Timestamp,
        filter: KeyFilter
    ) {
        self.since = since
        self.through = through
        self.schedules = schedules
        self.forgotten = forgotten
        self.filter = filter
    }

    /// Reads a page more; nothing once all are read.
    package mutating func read(
        _ log: any KeyReading,
        limit: Int = Self.keysPerPage
    ) throws(StoreError) {
        guard !isWhole else { return }
        let page = try log.keys(behind: end, through: through, from: since, limit: limit)
        for entry in page.entries { insert(entry.scope, at: entry.time) }
        if let next = page.end {
            end = next
        } else {
            for key in schedules { insert(key.key.scope, at: key.time) }
            isWhole = true
        }
    }

    private mutating func insert(_ scope: KeyHash, at time: Timestamp) {
        if let gone = filter.insert(scope, at: time) { forgotten = max(forgotten, gone) }
    }
}
