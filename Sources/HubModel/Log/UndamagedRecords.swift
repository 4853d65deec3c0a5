/// A log with damaged records: they are left out of every reading, and remembered.
///
/// One damaged row must not keep every device from everything behind it.
final class UndamagedRecords: LayeredReading {
    let log: any MissedReading
    /// Places whose records could not be read.
    private(set) var damaged: Set<UInt64> = []

    /// A log with some places that are known to be damaged.
    init(_ log: any MissedReading, damaged: Set<UInt64>) {
        self.log = log
        self.damaged = damaged
    }

    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
        do throws(StoreError) {
            return try log.headers(at: sequences)
        } catch {
            guard case .corrupted = error else { throw error }
        }
        guard sequences.count > 1 else {
            damaged.formUnion(sequences)
            return []
        }
        let middle = sequences.startIndex + sequences.count / 2
        return try headers(at: sequences[..<middle]) + headers(at: sequences[middle...])
    }

    func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        do throws(StoreError) {
            return try log.records(at: sequences, bytesMax: bytesMax)
        } catch {
            guard case .corrupted = error else { throw error }
        }
        guard sequences.count > 1 else {
            damaged.formUnion(sequences)
            return []
        }
        var found: [NotificationRecord] = []
        var bytes = 0
        for index in sequences.indices {
            guard let record = try records(at: sequences[index...index], bytesMax: 0).first else {
                continue
            }
            bytes += record.draft.weight
            if bytes > bytesMax, !found.isEmpty { break }
            found.append(record)
        }
        return found
    }

    /// The first damaged records that a device would have looked at in `(after, through]`, up to the
    /// next match; nil when there is none.
    func damage(
        after: UInt64,
        through: UInt64,
        _ matches: ArraySlice<MissedSet.Match>
    ) throws(StoreError) -> LogPage.Damage? {
        let places = damaged.filter { $0 > after && $0 <= through }.sorted()
        guard let first = places.first else { return nil }
        let next = matches.first { $0.sequence > first && !damaged.contains($0.sequence) }
        let run = places.prefix { $0 < next?.sequence ?? .max }
        guard let last = run.last else { return nil }
        return LogPage.Damage(
            first: first,
            through: last,
            check: try check(at: last) ?? 0,
            count: UInt32(clamping: run.count)
        )
    }
}
