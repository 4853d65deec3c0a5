import HubModel
import HubVocabulary
import Synchronization

extension SlicedLog {
    /// A slice as a reader has found it.
    private struct Found {
        var number: Int
        /// The last place it covers; nil for the present slice.
        var last: UInt64?
        /// The last place that has a record or will never have one.
        var end: UInt64
    }

    /// The slice that covers a place, or the next above; nil when there is none.
    private func find(_ place: UInt64) -> Found? {
        state.withLock { state in
            state.index(covering: place).map { index in
                let last = state.last(of: index)
                return Found(
                    number: state.slices[index].row.number,
                    last: last,
                    end: last ?? state.head
                )
            }
        }
    }

    /// Runs `body` on a slice's connections; nil when the slice has gone.
    ///
    /// A slice may be sealed or removed while it is read: then `body` runs again on what there is.
    func reading<Value>(
        _ number: Int,
        _ body: (FileReader) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        while let known = try reader(number) {
            do throws(StoreError) {
                return try body(known.reader)
            } catch {
                if isCurrent(known.reading, number) { throw error }
            }
        }
        return nil
    }

    /// A slice's connections, and a number by which they are told from later ones.
    private func reader(
        _ number: Int
    ) throws(StoreError) -> (reader: FileReader, reading: Reading)? {
        let known = state.withLock { state -> (reader: FileReader?, reading: Reading)? in
            guard let index = state.slices.firstIndex(where: { $0.row.number == number }) else {
                return nil
            }
            state.reads += 1
            state.slices[index].lastRead = state.reads
            let slice = state.slices[index]
            if let file = slice.file { return (file.file.reader, .writable) }
            return (slice.reader, .sealed)
        }
        guard let known else { return nil }
        if let reader = known.reader { return (reader, known.reading) }
        do throws(StoreError) {
            return (try open(number), .sealed)
        } catch {
            // Removed between the look and the opening.
            guard state.withLock({ $0.slices.contains { $0.row.number == number } }) else {
                return nil
            }
            throw error
        }
    }

    private enum Reading { case writable, sealed }

    /// Whether a slice is still there and still read in this way.
    private func isCurrent(_ reading: Reading, _ number: Int) -> Bool {
        state.withLock { state in
            guard let slice = state.slices.first(where: { $0.row.number == number }) else {
                return false
            }
            return (slice.file == nil) == (reading == .sealed)
        }
    }

    /// Opens a sealed slice and keeps it open; the one that was not read for longest is let go when
    /// too many are.
    private func open(_ number: Int) throws(StoreError) -> FileReader {
        let opened = try FileReader(readOnly: file(number))
        return state.withLock { state in
            guard let index = state.slices.firstIndex(where: { $0.row.number == number }) else {
                return opened
            }
            if let other = state.slices[index].reader { return other }
            state.slices[index].reader = opened
            let open = state.slices.indices.filter { state.slices[$0].reader != nil }
            if open.count > limits.openSlicesMax,
                let oldest = open.min(by: { state.slices[$0].lastRead < state.slices[$1].lastRead })
            {
                state.slices[oldest].reader = nil
            }
            return opened
        }
    }

    /// Numbers of all slices, ascending.
    var numbers: [Int] { state.withLock { $0.slices.map(\.row.number) } }

    /// Those of some scheduled notifications that became records.
    func recorded(_ schedules: Set<ScheduleID>) throws(StoreError) -> Set<ScheduleID> {
        let slices = state.withLock { state in
            state.slices.map { (number: $0.row.number, count: $0.end.scheduled) }
        }
        var found: Set<ScheduleID> = []
        for slice in slices where slice.count > 0 {
            let part = try reading(slice.number) { reader throws(StoreError) in
                try reader.recorded(schedules, count: slice.count)
            }
            found.formUnion(part ?? [])
        }
        return found
    }

    /// The place of the record that a scheduled notification became; nil when there is none.
    func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        let slices = state.withLock { state in
            state.slices.filter { $0.end.scheduled > 0 }.map(\.row.number)
        }
        for number in slices.reversed() {
            let found = try reading(number) { reader throws(StoreError) in
                try reader.sequence(of: schedule)
            }
            if let sequence = found ?? nil { return sequence }
        }
        return nil
    }

    /// Keys of the records in `(after, through]` that came under one, by their places.
    func keys(
        after: UInt64,
        through: UInt64
    ) throws(StoreError) -> [UInt64: IdempotencyKey] {
        var found: [UInt64: IdempotencyKey] = [:]
        var position = after
        while position < through, let slice = find(position + 1) {
            let keys = try reading(slice.number) { reader throws(StoreError) in
                try reader.keys(after: after, through: through)
            }
            for key in keys ?? [] { found[key.sequence] = key.key }
            position = slice.end
        }
        return found
    }

    /// The newest idempotency keys, ascending.
    func newestKeys(limit: Int) throws(StoreError) -> [StoredKey] {
        let (slices, time) = state.withLock { ($0.slices, $0.keysBefore) }
        var found: [StoredKey] = []
        for slice in slices.reversed() where found.count < limit && slice.end.newestTime >= time {
            let left = limit - found.count
            let part = try reading(slice.row.number) { reader throws(StoreError) in
                try reader.newestKeys(limit: left, from: time)
            }
            found = (part ?? []) + found
        }
        return found
    }

    /// The newest record with an idempotency key; nil when there is none that counts.
    func key(_ scope: KeyHash) throws(StoreError) -> StoredKey? {
        try indexKeys()
        let (slices, time) = state.withLock { ($0.slices, $0.keysBefore) }
        for slice in slices.reversed() where slice.end.newestTime >= time {
            let found = try reading(slice.row.number) { reader throws(StoreError) in
                try reader.key(scope, isSealed: slice.file == nil)
            }
            if let key = found ?? nil { return key.time >= time ? key : nil }
        }
        return nil
    }
}

extension SlicedLog: KeyReading {
    func keys(
        behind end: UInt64,
        through: UInt64,
        from time: Timestamp,
        limit: Int
    ) throws(StoreError) -> LogKeyPage {
        var page = LogKeyPage()
        var left = max(1, limit)
        for slice in state.withLock({ $0.slices }) {
            guard slice.row.first <= through, slice.end.head > end, slice.end.newestTime >= time
            else { continue }
            let wanted = left
            let part = try reading(slice.row.number) { reader throws(StoreError) in
                try reader.keys(after: end, through: through, limit: wanted)
            }
            // One that has gone since held none that count.
            guard let part else { continue }
            page.entries += part.map(\.stored).filter { $0.time >= time }
                .map { LogKeyPage.Entry(scope: $0.key.scope, time: $0.time) }
            left -= part.count
            guard left > 0 else {
                page.end = part.last?.sequence
                break
            }
        }
        return page
    }
}

extension SlicedLog: LogReading {
    var purgedGone: UInt64 { state.withLock { min($0.purged, $0.logFirst - 1) } }

    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        var found: [NotificationRecord] = []
        var bytes = 0
        var position = after
        while position < through, found.count < limit, bytes < bytesMax || found.isEmpty,
            let slice = find(position + 1)
        {
            let (start, wanted, left) = (position, limit - found.count, max(0, bytesMax - bytes))
            let page = try reading(slice.number) { reader throws(StoreError) in
                try reader.records(after: start, through: through, limit: wanted, bytesMax: left)
            }
            // A slice that has gone: the next look finds the one above it.
            guard let page else { continue }
            found += page.values
            bytes += page.bytes
            guard !page.isCut, let last = slice.last else { break }
            position = last
        }
        return found
    }

    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        guard sequence > 0 else { return 0 }
        if let slice = find(sequence) {
            let found = try reading(slice.number) { reader throws(StoreError) in
                try reader.check(at: sequence)
            }
            if let check = found ?? nil { return check }
        }
        return state.withLock { state in
            let next = sequence &+ 1
            return state.epochs.first { $0.place.sequence == next }?.checkBelow
                ?? state.slices.first { $0.row.first == next }?.row.checkBelow
        }
    }

    func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates {
        var found = LogCandidates(sequences: [], through: min(after, through))
        while found.through < through, found.sequences.count < limit,
            let slice = find(found.through + 1)
        {
            let end = min(through, slice.end)
            guard end > found.through else { break }
            let part = try places(
                of: anchors,
                after: found.through,
                through: end,
                in: slice.number,
                limit: limit - found.sequences.count
            )
            guard let part else { continue }
            found.sequences += part.sequences
            found.through = part.through
        }
        return found
    }

    /// The lowest records of one slice that some anchors list, at most `limit`; nil when the slice
    /// has gone.
    private func places(
        of anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        in number: Int,
        limit: Int
    ) throws(StoreError) -> LogCandidates? {
        var places: [UInt64] = []
        // A few at a time: a device with thousands of tags must hold up neither the writer nor
        // other readers of the slice.
        var rest = anchors.sorted()[...]
        while !rest.isEmpty {
            let part = rest.prefix(limits.anchorsPerLook)
            rest = rest.dropFirst(limits.anchorsPerLook)
            // Places above those that are known already need not be found.
            let end = places.count == limit ? places.last ?? through : through
            do throws(StoreError) {
                guard
                    try collect(part, after: after, through: end, in: number, limit, into: &places)
                else { return nil }
            } catch {
                guard case .corrupted = error else { throw error }
                guard try remakeLists(of: number) else {
                    return everything(after: after, through: through, in: number, limit: limit)
                }
                return try self.places(
                    of: anchors,
                    after: after,
                    through: through,
                    in: number,
                    limit: limit
                )
            }
            _ = places.sortUnique(limit: limit)
        }
        let isFull = places.count == limit
        return LogCandidates(sequences: places, through: isFull ? places.last ?? after : through)
    }

    /// Adds the lowest records of one slice that some anchors list, at most `limit` of each; false
    /// when the slice has gone.
    private func collect(
        _ anchors: ArraySlice<AnchorKey>,
        after: UInt64,
        through: UInt64,
        in number: Int,
        _ limit: Int,
        into places: inout [UInt64]
    ) throws(StoreError) -> Bool {
        // In memory, under the lock: a copy of the present slice's lists would be copied by the next
        // record.
        let isHot = state.withLock { state in
            let slice = state.slices.first { $0.row.number == number }
            guard let lists = slice?.lists else { return false }
            lists.collect(anchors, after: after, through: through, limit: limit, into: &places)
            return true
        }
        if isHot { return true }
        let read = try reading(number) { reader throws(StoreError) -> [UInt64] in
            var found: [UInt64] = []
            try reader.collect(anchors, after: after, through: through, limit: limit, into: &found)
            return found
        }
        places += read ?? []
        return read != nil
    }

    func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        var found: [NotificationRecord] = []
        var bytes = 0
        try forEachPart(of: sequences) { part, reader throws(StoreError) in
            let left = max(0, bytesMax - bytes)
            guard found.isEmpty || left > 0 else { return false }
            let page = try reader.entries(at: part, bytesMax: left) { entry in
                try entry.record(path: reader.path)
            }
            found += page.values
            bytes += page.bytes
            return !page.isCut
        }
        return found
    }

    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
        var found: [RecordHeader] = []
        try forEachPart(of: sequences) { part, reader throws(StoreError) in
            found += try reader.entries(at: part, bytesMax: .max) { entry in
                try entry.header(path: reader.path)
            }.values
            return true
        }
        return found
    }

    /// Calls `body` with the places of each slice and its connections, until it says false.
    private func forEachPart(
        of sequences: ArraySlice<UInt64>,
        _ body: (ArraySlice<UInt64>, FileReader) throws(StoreError) -> Bool
    ) throws(StoreError) {
        var rest = sequences
        while let first = rest.first, let slice = find(first) {
            let part = slice.last.map { last in rest.prefix { $0 <= last } } ?? rest
            // A place below the first slice: nothing of it is left.
            guard !part.isEmpty else { return }
            let goesOn = try reading(slice.number) { reader throws(StoreError) in
                try body(part, reader)
            }
            guard let goesOn else { continue }
            guard goesOn else { return }
            rest = rest[part.endIndex...]
        }
    }
}
