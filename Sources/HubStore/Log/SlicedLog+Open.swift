import GRDB
import HubModel

extension SlicedLog {
    /// The result of a first look at a file.
    private struct Look {
        var row: SliceRow
        var epochs: [EpochRow]
        var isWAL: Bool
    }

    /// Opens what is there and takes away what a crash has left.
    ///
    /// That is files whose making or removal was cut off. Of slices that are not sealed everything
    /// but the records is read, of the others of the last day their lists.
    ///
    /// - Throws: `.corrupted` when a file between two others is missing or holds numbers of another
    ///   one, and what opening a file throws.
    static func open(
        in folder: StoreFolder,
        keeping: Durability,
        limits: StoreLimits,
        progress: inout OpeningProgress
    ) throws(StoreError) -> SlicedLog {
        var looks: [Look] = []
        var unfinished: [Int] = []
        let numbers = try folder.names().compactMap(SliceFile.number).sorted()
        for (index, number) in numbers.enumerated() {
            progress.step("looking at slice \(index + 1) of \(numbers.count) of the log")
            let path = try folder.existing(SliceFile.name(number))
            guard let look = try look(at: path) else {
                unfinished.append(number)
                continue
            }
            guard look.row.number == number else {
                throw .corrupted("\(path): is slice \(look.row.number) of the log")
            }
            if look.isWAL, look.row.end != nil { endJournal(of: path) }
            looks.append(look)
        }
        var state = LogState()
        state.logFirst = looks.reduce(1) { max($0, $1.row.logFirst) }
        for number in unfinished {
            // The newest was never finished; an older one was trimmed, and a crash came between the
            // removal of its journal and its own.
            let next = looks.first { $0.row.number > number }
            guard next.map({ $0.row.first <= state.logFirst }) ?? true else {
                throw .corrupted("\(folder.path)/\(SliceFile.name(number)): empty")
            }
            folder.remove(SliceFile.name(number))
        }
        for (index, look) in looks.enumerated() {
            // Everything in it was trimmed: its removal was cut off.
            if index + 1 < looks.count, looks[index + 1].row.first <= state.logFirst {
                folder.remove(SliceFile.name(look.row.number))
                continue
            }
            progress.step("opening slice \(index + 1) of \(looks.count) of the log")
            try state.load(look.row, look.epochs, in: folder, keeping: keeping)
        }
        if let first = state.slices.first?.row.first { state.logFirst = max(first, state.logFirst) }
        try state.warmUp(limits, in: folder, &progress)
        return SlicedLog(path: folder.path, keeping: keeping, limits: limits, state: state)
    }

    /// Looks at a file; nil for one whose making was cut off.
    private static func look(at path: String) throws(StoreError) -> Look? {
        let reader = try FileReader(recovering: path)
        return try reader.reading { database in
            let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
            if isEmpty { return nil }
            let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
            guard owner == SQLiteFile.applicationID else {
                throw StoreError.cannotOpen(path: path, reason: "not a file of this program")
            }
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard found == SQLiteFile.schema else { throw SQLiteFile.refusal(of: found) }
            try SQLiteFile.requireNoPrograms(database, path: path)
            guard let row = try SliceRow.read(database, path: path) else {
                throw StoreError.corrupted("\(path): no slice of a log")
            }
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            let epochs = try EpochRow.all(database, path: path)
            return Look(row: row, epochs: epochs, isWAL: mode == "wal")
        }
    }

    /// Makes a sealed slice one file without others beside it.
    ///
    /// When another connection reads it just now, the next start tries again.
    static func endJournal(of path: String) {
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { database in
                _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
            }
            try queue.close()
        } catch {
            // Another connection has the file, or it is damaged: reading the slice will tell.
        }
    }
}
