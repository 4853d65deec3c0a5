extension LogReading {
    /// Looks through every record; for stores without lists.
    package func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates {
        var found = LogCandidates(sequences: [], through: min(after, through))
        while found.through < through {
            let page = try records(
                after: found.through,
                through: through,
                limit: 256,
                bytesMax: 1 << 20
            )
            for record in page {
                guard found.sequences.count < limit else { return found }
                if record.anchors.contains(where: { anchors.contains($0) }) {
                    found.sequences.append(record.sequence)
                }
                found.through = record.sequence
            }
            if page.isEmpty { found.through = through }
        }
        return found
    }

    /// Reads one after another; for stores that cannot do better.
    package func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        var found: [NotificationRecord] = []
        var bytes = 0
        for sequence in sequences where sequence > 0 {
            let one = try records(after: sequence - 1, through: sequence, limit: 1, bytesMax: 0)
            guard let record = one.first else { continue }
            bytes += record.draft.weight
            if bytes > bytesMax, !found.isEmpty { break }
            found.append(record)
        }
        return found
    }

    /// Reads whole records; for stores that cannot do better.
    package func headers(
        at sequences: ArraySlice<UInt64>
    ) throws(StoreError) -> [RecordHeader] {
        var found: [RecordHeader] = []
        var rest = sequences
        while !rest.isEmpty {
            let part = rest.prefix(64)
            found += try records(at: part, bytesMax: .max).map(\.header)
            rest = rest.dropFirst(64)
        }
        return found
    }
}
