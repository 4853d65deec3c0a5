import HubCluster
import HubVocabulary

/// The row `head` of a hub, and its epochs.
enum HeadRow {
    private static let columns = """
        fence, feed, head, head_check, first, feed_first, purged, rid_max, checkpoint, floor, reports
        """

    /// Where `readLocked` has the number of steps of merging.
    static let mergedColumn = 11

    /// The row; no rows for a hub that the database does not know.
    static let read = PostgresStatement(
        "head_read",
        "SELECT \(columns) FROM head WHERE hub = $1"
    )

    /// The same under its lock, behind whatever still commits; the transaction's end then waits for
    /// the standby, also for what was committed before.
    static let readLocked = PostgresStatement(
        "head_read_locked",
        "SELECT \(columns), merged FROM head WHERE hub = $1 FOR UPDATE"
    )

    /// Takes the lead: from here on nothing that was sent under a lower fence is stored.
    static let take = PostgresStatement(
        "head_take",
        "UPDATE head SET fence = fence + 1 WHERE hub = $1 RETURNING \(columns), merged"
    )

    /// Epochs, ascending.
    static let epochs = PostgresStatement(
        "head_epochs",
        "SELECT first, epoch, check_below FROM epoch WHERE hub = $1 ORDER BY first"
    )

    /// The place that rows of `columns` and of epochs tell; nil without a row.
    static func place(_ row: PostgresRows, _ epochs: PostgresRows?) throws(PostgresError)
        -> GroupPlace?
    {
        guard row.count > 0 else { return nil }
        var place = GroupPlace()
        place.fence = try row.number(0, 0)
        place.feed = try row.number(0, 1)
        place.head = try row.number(0, 2)
        place.headCheck = UInt32(truncatingIfNeeded: try row.number(0, 3))
        place.first = try row.number(0, 4)
        place.changesFirst = try row.number(0, 5)
        place.purged = try row.number(0, 6)
        place.numberMax = UInt32(truncatingIfNeeded: try row.number(0, 7))
        place.checkpoint = try row.number(0, 8)
        place.countersFloor = try row.number(0, 9)
        let reports = try row.bytes(0, 10)
        do throws(RecordProblem) {
            place.reports = try NodeReports(stored: reports.span)
        } catch {
            throw .shape("reports: \(error)")
        }
        guard let epochs else { return place }
        for index in 0..<epochs.count {
            place.epochs.append(
                GroupEpoch(
                    place: LogPlace(
                        epoch: UInt64(bitPattern: try epochs.integer(index, 1)),
                        sequence: try epochs.number(index, 0)
                    ),
                    checkBelow: UInt32(truncatingIfNeeded: try epochs.number(index, 2))
                )
            )
        }
        return place
    }
}
