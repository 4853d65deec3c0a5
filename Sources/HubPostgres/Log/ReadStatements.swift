/// Statements with which copies of a hub are filled.
enum ReadStatements {
    /// Everything up to `commit` sees one moment.
    static let begin = PostgresStatement(
        "begin",
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    )
    static let commit = PostgresStatement("commit", "COMMIT")

    /// Records behind a place, a page of them until so many bytes; at least one row.
    static let records = PostgresStatement(
        "read_records",
        """
        SELECT first, number, records, checksum FROM (
            SELECT first, number, records, checksum,
                sum(octet_length(records)) OVER (ORDER BY first) - octet_length(records) AS before
            FROM (
                SELECT first, number, records, checksum FROM log
                WHERE hub = $1 AND first > $2
                    AND first + count > (SELECT head.first FROM head WHERE hub = $1)
                ORDER BY first LIMIT $4) AS page) AS sized
        WHERE before < greatest($3::int8, 1) ORDER BY first
        """
    )
    static let lastRecords = PostgresStatement(
        "last_records",
        "SELECT number FROM log WHERE hub = $1 ORDER BY first DESC LIMIT 1"
    )
    /// Changes behind a group, likewise.
    static let changes = PostgresStatement(
        "read_changes",
        """
        SELECT number, head_before, changes, checksum FROM (
            SELECT number, head_before, changes, checksum,
                sum(octet_length(changes)) OVER (ORDER BY number) - octet_length(changes) AS before
            FROM (
                SELECT number, head_before, changes, checksum FROM feed
                WHERE hub = $1 AND number > $2 ORDER BY number LIMIT $4) AS page) AS sized
        WHERE before < greatest($3::int8, 1) ORDER BY number
        """
    )
    static let lastChanges = PostgresStatement(
        "last_changes",
        "SELECT number, checksum FROM feed WHERE hub = $1 ORDER BY number DESC LIMIT 1"
    )
    /// The changes of one group.
    static let change = PostgresStatement(
        "read_change",
        "SELECT number, checksum FROM feed WHERE hub = $1 AND number = $2"
    )
    /// When the oldest item of a kind that has a time was accepted.
    static let oldest = PostgresStatement(
        "read_oldest",
        """
        SELECT gone FROM item WHERE hub = $1 AND kind = $2::int8 AND gone IS NOT NULL
        ORDER BY gone LIMIT 1
        """
    )
    /// The items that hold now, behind a kind and a key.
    static let items = PostgresStatement(
        "read_items",
        """
        SELECT kind, key, gone, body, checksum FROM item
        WHERE hub = $1 AND (kind, key) > ($2::int8, $3) ORDER BY kind, key LIMIT $4
        """
    )

    /// Reads of cursors, counters and lanes for others than the leader.
    static let progress = [
        begin, HeadRow.read, HeadRow.epochs, LogStatements.readJournal, LogStatements.listChunks,
        LogStatements.readChunks, LogStatements.readAllCounters, LaneStatements.read,
        LaneStatements.readDeferred, LaneStatements.readAllFailures,
    ]

    static let all = [
        begin, commit, records, lastRecords, changes, lastChanges, change, oldest, items,
        HeadRow.read, HeadRow.epochs, LogStatements.readJournalFrom, LogStatements.anyJournal,
    ]
}
