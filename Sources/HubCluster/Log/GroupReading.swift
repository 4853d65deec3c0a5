package import HubModel

/// Reads of one hub in the database, for copies; from any thread.
package protocol GroupReading: Sendable {
    /// The state of the log; nil for a hub that the database does not know.
    func place() throws(StoreError) -> GroupPlace?

    /// Groups behind a copy's place, a page of about `bytesMax` bytes at most; none only when
    /// there is none.
    ///
    /// Records are those from `max(place.head + 1, first)` on, changes those of groups above
    /// `place.feed`. A copy whose `feed + 1` is below `changesFirst` lacks changes that went: it is
    /// filled from `items`.
    func groups(after place: CopyPlace, bytesMax: Int) throws(StoreError) -> GroupsRead

    /// Calls `body` with everything that holds now, in no order.
    ///
    /// - Returns: the state of the log as of the same moment.
    func items(
        _ body: (StoredItem) throws(StoreError) -> Void
    ) throws(StoreError) -> GroupPlace

    /// Reads changes of cursors behind a row of their journal, some megabytes at most; without a row,
    /// whether it has any.
    func cursorJournal(behind mark: JournalMark?) throws(StoreError) -> JournalNews

    /// Calls `body` with the merged cursors of all devices, ascending, some thousand at once; with none
    /// while the journal is read, so that it can end the reading.
    ///
    /// - Returns: the last row of their journal as of the same moment; nil while it has none.
    func cursors(
        _ body: ([StoredCursor]) throws(StoreError) -> Void
    ) throws(StoreError) -> JournalMark?
}
