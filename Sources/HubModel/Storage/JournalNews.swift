/// The answer of a journal of cursors to one who has everything up to a row.
package enum JournalNews: Equatable, Sendable {
    /// The journal has no rows, and perhaps never had.
    case empty
    /// The journal does not have this row: it was merged and removed, or is of another past.
    case unknown
    /// Changes behind the row in the order in which they were written, and the last row that has some
    /// of them; the same row again only where nothing is behind it.
    case changes([CursorChange], JournalMark)
}
