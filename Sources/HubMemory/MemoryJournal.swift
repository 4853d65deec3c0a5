import HubModel
import HubVocabulary

/// The journal of cursors in the model of a database: its rows are merged and removed at times, but
/// for the last one.
struct MemoryJournal: Sendable {
    private struct Row: Sendable {
        var mark: JournalMark
        var changes: [CursorChange]
    }

    /// Rows that are kept at most.
    private static let rowsMax = 6

    private var rows: [Row] = []

    /// The last row; nil while there is none.
    var last: JournalMark? { rows.last?.mark }

    mutating func append(_ changes: [CursorChange], of number: UInt64) {
        guard !changes.isEmpty else { return }
        if rows.count == Self.rowsMax { rows.removeFirst(Self.rowsMax - 1) }
        var checksum = Checksum([number])
        checksum.append(CursorBytes.pack(changes))
        let mark = JournalMark(number: number, checksum: UInt64(checksum.value))
        rows.append(Row(mark: mark, changes: changes))
    }

    func news(behind mark: JournalMark?) -> JournalNews {
        guard let last = rows.last?.mark else { return .empty }
        guard let place = rows.firstIndex(where: { $0.mark == mark }) else { return .unknown }
        return .changes(rows[(place + 1)...].flatMap(\.changes), last)
    }
}
