package import HubCluster

/// How far a hub was in the database; another mark means that copies have something to do.
package struct HubMark: Hashable, Sendable {
    /// The number of its last group.
    package let group: UInt64
    private let head: UInt64
    private let first: UInt64
    private let purged: UInt64
    private let fence: UInt64
    private let checkpoint: UInt64

    /// The mark of a hub at a place.
    package init(of place: GroupPlace) {
        (group, head, first) = (place.feed, place.head, place.first)
        (purged, fence, checkpoint) = (place.purged, place.fence, place.checkpoint)
    }

    /// Reads a row from a column on.
    init(_ rows: PostgresRows, _ row: Int, from column: Int) throws(PostgresError) {
        group = try rows.number(row, column)
        head = try rows.number(row, column + 1)
        first = try rows.number(row, column + 2)
        purged = try rows.number(row, column + 3)
        fence = try rows.number(row, column + 4)
        checkpoint = try rows.number(row, column + 5)
    }
}
