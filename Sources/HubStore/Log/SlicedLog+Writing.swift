import HubModel
import HubVocabulary
import Synchronization

// Only the hub's writer thread comes here.
extension SlicedLog {
    /// Begins an epoch, and a slice with it: a hole in the numbers lies between slices only.
    func begin(
        _ place: LogPlace,
        checkBelow: UInt32,
        in folder: StoreFolder
    ) throws(StoreError) {
        let epoch = EpochRow(place: place, checkBelow: checkBelow)
        try begin([epoch], above: place.sequence - 1, checkBelow: checkBelow, in: folder)
    }

    /// Begins a slice with some epochs that the log does not know, none of them above its first
    /// place.
    func begin(
        _ epochs: [EpochRow],
        above head: UInt64,
        checkBelow: UInt32,
        in folder: StoreFolder
    ) throws(StoreError) {
        try add(first: head + 1, checkBelow: checkBelow, epochs: epochs, in: folder)
    }

    /// Appends records as one transaction; begins another slice first when it is time for one.
    func append(
        _ records: [NotificationRecord],
        in folder: StoreFolder
    ) throws(StoreError) {
        guard let first = records.first else { return }
        if isFull(before: first) { try cut(in: folder) }
        guard let present = present else { throw .corrupted("\(path): a log without a slice") }
        guard let batch = try present.append(records) else { return }
        state.withLock { state in
            let index = state.slices.count - 1
            state.slices[index].take(batch)
            for record in records where record.schedule != nil {
                state.slices[index].end.scheduled += 1
            }
        }
    }

    /// Makes everything at or below a place undeliverable.
    func purge(through place: UInt64) throws(StoreError) {
        try change { $0.purged = max($0.purged, place) }
    }

    /// Forgets the idempotency keys of records that were accepted before a time.
    func forgetKeys(before time: Timestamp) throws(StoreError) {
        guard state.withLock({ $0.keysBefore < time && $0.hasKeys }) else { return }
        try change { $0.keysBefore = max($0.keysBefore, time) }
    }

    /// Indexes the keys of slices that are not sealed yet.
    func indexKeys() throws(StoreError) {
        let files = state.withLock { state in
            state.areKeysIndexed ? [] : state.slices.compactMap(\.file)
        }
        for file in files { try file.indexKeys() }
        state.withLock { $0.areKeysIndexed = true }
    }

    /// The newest slice's file.
    var present: SliceFile? { state.withLock { $0.slices.last?.file } }

    /// Changes what the present slice knows of the log, durably.
    func change(_ body: (inout SliceRow) -> Void) throws(StoreError) {
        guard
            let (row, file) = state.withLock({ state -> (SliceRow, SliceFile)? in
                guard let slice = state.slices.last, let file = slice.file else { return nil }
                var row = slice.row
                row.take(state)
                return (row, file)
            })
        else { throw .corrupted("\(path): a log without a slice") }
        var changed = row
        body(&changed)
        guard changed != row else { return }
        try file.store(changed)
        state.withLock { state in
            state.slices[state.slices.count - 1].row = changed
            state.logFirst = changed.logFirst
            state.purged = changed.purged
            state.keysBefore = changed.keysBefore
        }
    }

    private func isFull(before record: NotificationRecord) -> Bool {
        state.withLock { state in
            guard let slice = state.slices.last, let began = slice.began else { return false }
            if slice.end.head - slice.row.first + 1 >= UInt64(limits.sliceRecordsMax) {
                return true
            }
            let time = record.id.time.milliseconds
            let age = time > began.milliseconds ? (time - began.milliseconds) / 1_000 : 0
            return age >= limits.sliceSecondsMax
                || age >= limits.sliceSecondsMin && slice.bytes >= limits.sliceBytesMin
        }
    }

    /// Begins another slice behind the head.
    ///
    /// Where that fails the present slice goes on. Only a file that can't be taken away is a
    /// reason to refuse: at the next start it would be the newest.
    func cut(in folder: StoreFolder) throws(StoreError) {
        guard
            let (head, number) = state.withLock({ state in
                state.slices.last.map { (state.head, $0.row.number) }
            })
        else { return }
        do throws(StoreError) {
            let check = try check(at: head) ?? 0
            try add(first: head + 1, checkBelow: check, epochs: [], in: folder)
        } catch {
            if folder.has(SliceFile.name(number + 1)) { throw error }
        }
    }

    private func add(
        first: UInt64,
        checkBelow: UInt32,
        epochs added: [EpochRow],
        in folder: StoreFolder
    ) throws(StoreError) {
        let (row, epochs) = state.withLock { state in
            let number = (state.slices.last?.row.number ?? 0) + 1
            if state.slices.isEmpty { state.logFirst = first }
            var row = SliceRow(
                number: number,
                first: first,
                checkBelow: checkBelow,
                logFirst: state.logFirst
            )
            row.take(state)
            // An epoch that began there and has no record is no more.
            let kept = state.epochs.filter { known in
                !added.contains { $0.place.sequence == known.place.sequence }
            }
            return (row, kept + added)
        }
        let name = SliceFile.name(row.number)
        let file: SliceFile
        do throws(StoreError) {
            file = try SliceFile(
                path: try folder.file(name),
                keeping: keeping,
                making: row,
                epochs: epochs
            )
        } catch {
            folder.remove(name)
            throw error
        }
        state.withLock { state in
            state.slices.append(LogSlice(new: row, file: file))
            state.epochs = epochs
            state.areKeysIndexed = false
            state.coolDown(limits)
        }
    }
}

extension SliceRow {
    /// Copies the values of the whole log, as they are now.
    mutating func take(_ state: LogState) {
        logFirst = state.logFirst
        purged = state.purged
        keysBefore = state.keysBefore
    }
}
