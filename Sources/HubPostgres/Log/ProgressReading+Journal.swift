import HubModel
import HubVocabulary

// The journal of cursors: a row for each checkpoint that changed any.
extension ProgressReading {
    /// The journal up to a checkpoint, and its last row; calls `between` with each page.
    func journal(
        through last: UInt64,
        between: () throws(StoreError) -> Void = {}
    ) throws(StoreError) -> (folded: FoldedJournal, last: JournalMark?) {
        var all: [CursorChange] = []
        var mark: JournalMark?
        var after: UInt64 = 0
        while after < last {
            let read = try ask([page(LogStatements.readJournal, behind: after)])
            guard read[0].count > 0 else { break }
            try decoded { () throws(PostgresError) in
                for row in 0..<read[0].count {
                    after = try read[0].number(row, 0)
                    guard after <= last else { return }
                    all += try read[0].journalChanges(row)
                    mark = try read[0].journalMark(row)
                }
            }
            try between()
        }
        return (FoldedJournal(all), mark)
    }

    /// Reads a page of the journal behind a row; without a row, whether it has any.
    func news(behind mark: JournalMark?) throws(StoreError) -> JournalNews {
        guard let mark else {
            let read = try ask([PostgresCommand(LogStatements.anyJournal) { $0.append(hub) }])
            return read[0].count == 0 ? .empty : .unknown
        }
        let read = try ask([page(LogStatements.readJournalFrom, behind: mark.number)])
        return try decoded { () throws(PostgresError) in
            guard read[0].count > 0, try read[0].journalMark(0) == mark else { return .unknown }
            var changes: [CursorChange] = []
            var last = mark
            for row in 1..<read[0].count {
                changes += try read[0].journalChanges(row)
                last = try read[0].journalMark(row)
            }
            return .changes(changes, last)
        }
    }

    private func page(_ statement: PostgresStatement, behind number: UInt64) -> PostgresCommand {
        PostgresCommand(statement) { values in
            values.append(hub)
            values.append(number)
            values.append(UInt64(limits.journalBytesPerPage))
            values.append(UInt64(max(2, limits.rowsPerPage)))
        }
    }
}

extension PostgresRows {
    fileprivate func journalMark(_ row: Int) throws(PostgresError) -> JournalMark {
        JournalMark(number: try number(row, 0), checksum: try number(row, 2))
    }

    fileprivate func journalChanges(_ row: Int) throws(PostgresError) -> [CursorChange] {
        let id = try number(row, 0)
        let bytes = try checked(row, 1, of: "cursor_journal", [id])
        guard let changes = CursorBytes.changes(bytes) else { throw .shape("journal \(id)") }
        return changes
    }
}
