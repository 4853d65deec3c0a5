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
}
