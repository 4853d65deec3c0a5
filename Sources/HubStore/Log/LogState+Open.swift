import GRDB
import HubModel
import HubVocabulary

extension LogState {
    /// Adds the next slice.
    mutating func load(
        _ row: SliceRow,
        _ epochs: [EpochRow],
        in folder: StoreFolder,
        keeping: Durability
    ) throws(StoreError) {
        let name = SliceFile.name(row.number)
        let path = folder.path + "/" + name
        if let last = slices.last, last.row.number + 1 != row.number {
            let missing = SliceFile.name(last.row.number + 1)
            throw .corrupted("\(folder.path)/\(missing): missing")
        }
        purged = max(purged, row.purged)
        keysBefore = max(keysBefore, row.keysBefore)
        if epochs.count >= self.epochs.count { self.epochs = epochs }
        guard row.end == nil else {
            slices.append(LogSlice(sealed: row))
            return
        }
        let file = try SliceFile(path: try folder.file(name), keeping: keeping)
        var slice = LogSlice(new: row, file: file)
        try file.file.reader.forEachBatch { slice.take($0) }
        slice.end.scheduled = try file.file.reading { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM entry WHERE schedule IS NOT NULL"
            ) ?? 0
        }
        if let last = slices.last, last.end.head >= row.first {
            // Making it had failed, and the slice before went on.
            guard slice.end.head < row.first else { throw .corrupted("\(path): numbers twice") }
            file.file.close()
            folder.remove(name)
            return
        }
        slices.append(slice)
    }

    /// Reads the lists of the newest sealed slices into memory.
    mutating func warmUp(
        _ limits: StoreLimits,
        in folder: StoreFolder,
        _ progress: inout OpeningProgress
    ) throws(StoreError) {
        let newest = slices.reduce(0) { max($0, $1.end.newestTime.milliseconds) }
        var entries = slices.reduce(0) { $0 + ($1.lists?.count ?? 0) }
        for index in slices.indices.reversed() where slices[index].file == nil {
            let age = newest - min(newest, slices[index].end.newestTime.milliseconds)
            guard entries < limits.hotEntriesMax, age <= limits.hotSeconds * 1_000 else { return }
            progress.step("reading lists of slice \(slices[index].row.number) of the log")
            let path = folder.path + "/" + SliceFile.name(slices[index].row.number)
            var lists = AnchorLists()
            do throws(StoreError) {
                lists = try FileReader(readOnly: path).lists(
                    from: slices[index].row.first,
                    through: slices[index].end.head
                )
            } catch {
                // The table in the file says the same.
                guard case .corrupted = error else { throw error }
                _ = note(damagedListsOf: slices[index].row.number)
                continue
            }
            entries += lists.count
            slices[index].lists = lists
        }
    }
}
