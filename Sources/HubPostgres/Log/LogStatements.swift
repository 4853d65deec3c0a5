/// Statements that write a hub, each under the fence of its leader.
///
/// A statement that the fence refuses divides by zero, which undoes all that was sent with it.
enum LogStatements {
    /// Changes the row `head` if nothing else has changed it, or undoes everything.
    private static func head(_ name: String, set: String, where condition: String)
        -> PostgresStatement
    {
        PostgresStatement(
            name,
            """
            WITH h AS (UPDATE head SET \(set) WHERE hub = $1 AND fence = $2 AND \(condition) RETURNING 1)
            SELECT 1 / (SELECT count(*)::int FROM h)
            """
        )
    }

    /// The same if the last group is the one that the leader knows: what comes late, behind a later
    /// group, is refused.
    private static func behindLast(_ name: String, set: String, where condition: String = "true")
        -> PostgresStatement
    {
        head(name, set: set, where: "feed = $3 AND \(condition)")
    }

    // MARK: Groups

    /// The number goes up by one for each group.
    static let group = behindLast(
        "group",
        set: "feed = $4, head = $5, head_check = $6, rid_max = $7, purged = $8"
    )
    static let records = PostgresStatement(
        "records",
        """
        INSERT INTO log(hub, first, count, number, records, checksum)
        VALUES ($1, $2, $3, $4, $5, $6)
        """
    )
    static let changes = PostgresStatement(
        "changes",
        "INSERT INTO feed(hub, number, head_before, changes, checksum) VALUES ($1, $2, $3, $4, $5)"
    )
    static let putItems = PostgresStatement(
        "put_items",
        """
        INSERT INTO item(hub, kind, key, gone, body, checksum)
        SELECT $1::int8, t.* FROM unnest($2::int2[], $3::bytea[], $4::int8[], $5::bytea[], $6::int8[]) AS t
        ON CONFLICT (hub, kind, key) DO UPDATE
        SET gone = excluded.gone, body = excluded.body, checksum = excluded.checksum
        """
    )
    static let removeItems = PostgresStatement(
        "remove_items",
        """
        DELETE FROM item USING unnest($2::int2[], $3::bytea[]) AS t(kind, key)
        WHERE hub = $1 AND item.kind = t.kind AND item.key = t.key
        """
    )

    // MARK: The log's extent

    static let beginEpoch = behindLast(
        "begin_epoch",
        set: "head = $5, head_check = $6, first = $7",
        where: "head = $4"
    )
    static let removeEpoch = PostgresStatement(
        "remove_epoch",
        "DELETE FROM epoch WHERE hub = $1 AND first = $2"
    )
    static let putEpoch = PostgresStatement(
        "put_epoch",
        "INSERT INTO epoch(hub, first, epoch, check_below) VALUES ($1, $2, $3, $4)"
    )
    /// Of a hub that is moved into the database.
    static let restart = behindLast(
        "restart",
        set: """
            head = $5, head_check = $6, first = $7, feed_first = $8, purged = $9, rid_max = $10,
            floor = $11
            """,
        where: "head = $4"
    )
    static let removeEpochs = PostgresStatement(
        "remove_epochs",
        "DELETE FROM epoch WHERE hub = $1"
    )
    static let purge = behindLast("purge", set: "purged = greatest(purged, $4)")
    static let touch = behindLast("touch", set: "fence = fence")

    // MARK: What may go

    static let trim = behindLast(
        "trim",
        set: "first = greatest(first, $4), feed_first = greatest(feed_first, $5)"
    )
    static let trimLog = PostgresStatement(
        "trim_log",
        """
        DELETE FROM log WHERE hub = $1 AND first IN (
            SELECT first FROM log WHERE hub = $1 AND first + count <= $2 ORDER BY first LIMIT $3)
        """
    )
    static let trimFeed = PostgresStatement(
        "trim_feed",
        """
        DELETE FROM feed WHERE hub = $1 AND number IN (
            SELECT number FROM feed WHERE hub = $1 AND number < $2 ORDER BY number LIMIT $3)
        """
    )
    static let trimItems = PostgresStatement(
        "trim_items",
        """
        DELETE FROM item WHERE hub = $1 AND kind = $2::int8 AND key IN (
            SELECT key FROM item WHERE hub = $1 AND kind = $2::int8 AND gone < $3 ORDER BY gone LIMIT $4)
        """
    )
    static let trimDepartures = PostgresStatement(
        "trim_departures",
        """
        DELETE FROM item WHERE hub = $1 AND kind = $2::int8 AND key IN (
            SELECT key FROM item WHERE hub = $1 AND kind = $2::int8 AND key < $3 ORDER BY key LIMIT $4)
        """
    )

    // MARK: Checkpoints

    static let checkpoint = head(
        "checkpoint",
        set: "checkpoint = $4, floor = $5, reports = $6",
        where: "checkpoint = $3"
    )
    static let putJournal = PostgresStatement(
        "put_journal",
        "INSERT INTO cursor_journal(hub, id, cursors, checksum) VALUES ($1, $2, $3, $4)"
    )
    static let putCounters = PostgresStatement(
        "put_counters",
        """
        INSERT INTO counter(hub, block, counts, checksum)
        SELECT $1::int8, t.* FROM unnest($2::int8[], $3::bytea[], $4::int8[]) AS t
        ON CONFLICT (hub, block) DO UPDATE
        SET counts = excluded.counts, checksum = excluded.checksum
        """
    )
    static let forgetCounters = PostgresStatement(
        "forget_counters",
        "DELETE FROM counter WHERE hub = $1 AND block < $2"
    )
    static let readCounters = PostgresStatement(
        "read_counters",
        "SELECT block, counts, checksum FROM counter WHERE hub = $1 AND block = ANY($2::int8[])"
    )
    static let readAllCounters = PostgresStatement(
        "read_all_counters",
        """
        SELECT block, counts, checksum FROM counter WHERE hub = $1 AND block > $2
        ORDER BY block LIMIT $3
        """
    )
    static let lastCounted = PostgresStatement(
        "last_counted",
        "SELECT max(block) FROM counter WHERE hub = $1"
    )

    // MARK: Cursors

    /// Each step of merging counts, so that one which comes late is refused.
    static let merge = head("merge", set: "merged = merged + 1", where: "merged = $3")
    static let cursorBytes = PostgresStatement(
        "cursor_bytes",
        """
        SELECT (SELECT coalesce(sum(length(cursors)), 0)::int8 FROM cursor_journal WHERE hub = $1),
            (SELECT coalesce(sum(length(cursors)), 0)::int8 FROM cursor_chunk WHERE hub = $1)
        """
    )
    /// Rows behind one, a page of them until so many bytes; at least one row.
    static let readJournal = PostgresStatement(
        "read_journal",
        journalPage("cursors", where: "id > $2")
    )
    /// The same from that row on, without its cursors.
    static let readJournalFrom = PostgresStatement(
        "read_journal_from",
        journalPage("CASE WHEN id > $2 THEN cursors ELSE ''::bytea END", where: "id >= $2")
    )
    private static func journalPage(_ cursors: String, where condition: String) -> String {
        """
        SELECT id, cursors, checksum FROM (
            SELECT id, cursors, checksum,
                sum(octet_length(cursors)) OVER (ORDER BY id) - octet_length(cursors) AS before
            FROM (
                SELECT id, \(cursors) AS cursors, checksum FROM cursor_journal
                WHERE hub = $1 AND \(condition) ORDER BY id LIMIT $4) AS page) AS sized
        WHERE before < greatest($3::int8, 1) ORDER BY id
        """
    }
    static let anyJournal = PostgresStatement(
        "any_journal",
        "SELECT id FROM cursor_journal WHERE hub = $1 LIMIT 1"
    )
    static let listChunks = PostgresStatement(
        "list_chunks",
        "SELECT id, first, length(cursors) FROM cursor_chunk WHERE hub = $1 ORDER BY first"
    )
    static let readChunks = PostgresStatement(
        "read_chunks",
        """
        SELECT id, cursors, checksum FROM cursor_chunk WHERE hub = $1 AND id = ANY($2::int8[])
        ORDER BY first
        """
    )
    static let putChunks = PostgresStatement(
        "put_chunks",
        """
        INSERT INTO cursor_chunk(hub, id, first, cursors, checksum)
        SELECT $1::int8, t.* FROM unnest($2::int8[], $3::bytea[], $4::bytea[], $5::int8[]) AS t
        """
    )
    static let removeChunks = PostgresStatement(
        "remove_chunks",
        "DELETE FROM cursor_chunk WHERE hub = $1 AND id = ANY($2::int8[])"
    )
    /// Of the merged rows the last one stays, and up to three more where all are small together: by
    /// one of them a node that waits knows where to go on.
    static let trimJournal = PostgresStatement(
        "trim_journal",
        """
        DELETE FROM cursor_journal WHERE hub = $1 AND id <= $2 AND id NOT IN (
            SELECT id FROM (
                SELECT id, octet_length(cursors) AS own,
                    sum(octet_length(cursors)) OVER (ORDER BY id DESC) AS bytes
                FROM cursor_journal WHERE hub = $1 AND id <= $2 ORDER BY id DESC LIMIT 4) AS newest
            WHERE bytes <= greatest($3::int8, own))
        """
    )

    /// Everything that a leader's connection prepares.
    static let all =
        [
            group, records, changes, putItems, removeItems, beginEpoch, removeEpoch, putEpoch,
            restart, removeEpochs, purge, touch, trim, trimLog, trimFeed, trimItems, trimDepartures,
            checkpoint,
            putJournal, putCounters, forgetCounters, readCounters, lastCounted, merge,
            cursorBytes, readJournal, readJournalFrom, listChunks, readChunks, putChunks,
            removeChunks, trimJournal,
            HeadRow.readLocked, HeadRow.epochs,
        ] + LaneStatements.all
}
