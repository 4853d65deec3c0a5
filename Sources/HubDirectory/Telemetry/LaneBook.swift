package import HubModel
package import HubVocabulary

/// The lanes of a hub, as the store has them or is about to.
package struct LaneBook {
    private var marks: [Platform: LaneMark] = [:]
    private var rows: [Platform: [DeferredRow.Key: DeferredRow]] = [:]

    /// Takes what a store has.
    init(_ stored: [StoredLane]) {
        for lane in stored {
            marks[lane.platform] = lane.mark
            for row in lane.deferred { rows[lane.platform, default: [:]][row.key] = row }
        }
    }

    /// A lane went on.
    mutating func note(_ progress: LaneProgress) {
        marks[progress.platform] = progress.mark
        for row in progress.deferred { rows[progress.platform, default: [:]][row.key] = row }
        for key in progress.finished { rows[progress.platform]?[key] = nil }
    }

    /// The lane of a platform; nil when there never was one.
    package subscript(platform: Platform) -> StoredLane? {
        guard let mark = marks[platform] else { return nil }
        let deferred = (rows[platform] ?? [:]).values.sorted { $0.key < $1.key }
        return StoredLane(platform: platform, mark: mark, deferred: deferred)
    }

    /// Where a lane stands; nil when there never was one.
    package func mark(of platform: Platform) -> LaneMark? { marks[platform] }

    /// How many notifications wait by themselves.
    package func deferredCount(of platform: Platform) -> Int { rows[platform]?.count ?? 0 }

    /// A notification that waits by itself.
    package func row(_ key: DeferredRow.Key, of platform: Platform) -> DeferredRow? {
        rows[platform]?[key]
    }
}
