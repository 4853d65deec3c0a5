package import HubModel
import HubTables
import HubVocabulary

/// Cursors of a hub that another node leads, in memory: as its checkpoints have stored them.
package final class WarmCursors: CursorObserver {
    package private(set) var mark: JournalMark?

    private let seed: UInt64
    private var table: CursorTable

    /// A void one; `seed` must be drawn at random.
    package init(seed: UInt64) {
        self.seed = seed
        table = CursorTable(seed: seed)
    }

    package func forget() { _ = clear() }

    package func load(_ cursor: StoredCursor) { table.put(cursor, isChanged: false) }

    package func finish(at mark: JournalMark) { self.mark = mark }

    package func take(_ changes: [CursorChange], through mark: JournalMark) {
        for change in changes {
            switch change {
            case .forget(let device): table.remove(device)
            case .merge(let newer):
                let merged = table[newer.device]?.merged(newer) ?? newer
                table.put(merged, isChanged: false)
            }
        }
        self.mark = mark
    }

    /// Gives away all cursors of a store that is led from here on; nil where they have to be read.
    func take(levelWith storage: any HubStorage) throws(StoreError) -> CursorTable? {
        while let mark,
            case .changes(let changes, let last) = try storage.cursorJournal(behind: mark)
        {
            if last == mark { return clear() }
            take(changes, through: last)
        }
        forget()
        return nil
    }

    /// Is void from here on.
    private func clear() -> CursorTable {
        mark = nil
        defer { table = CursorTable(seed: seed) }
        return table
    }
}
