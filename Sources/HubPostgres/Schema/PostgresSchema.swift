/// The tables of hubs: one schema, `belfry`, whatever else the database holds.
///
/// Numbers are `bigint`. Bodies are bytes as codecs of ours write them, each with its checksum, and
/// PostgreSQL compresses none of them in vain. Only `head` is changed often, without an index beside
/// its key, so that its rows are replaced in place.
enum PostgresSchema {
    /// Goes up with each change of the tables.
    static let version = 4
    /// Found first by every connection.
    static let name = "belfry"

    /// Statements that make the tables in their schema, in one transaction.
    static let creation = [
        """
        CREATE TABLE belfry.cluster(
            one bool PRIMARY KEY DEFAULT true CHECK (one), schema int8 NOT NULL, id uuid NOT NULL,
            keys bytea)
        """,
        """
        CREATE TABLE belfry.lead(
            one bool PRIMARY KEY DEFAULT true CHECK (one), term int8 NOT NULL DEFAULT 0,
            holder int8 NOT NULL DEFAULT 0, node text NOT NULL DEFAULT '',
            address text NOT NULL DEFAULT '', devices text NOT NULL DEFAULT '',
            until timestamptz NOT NULL DEFAULT '-infinity')
            WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE belfry.node(
            run int8 PRIMARY KEY, name text NOT NULL, address text NOT NULL,
            release text NOT NULL, limits text NOT NULL, seen timestamptz NOT NULL) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE belfry.hub(
            id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" UNIQUE NOT NULL,
            is_whole bool NOT NULL DEFAULT true)
        """,
        """
        CREATE TABLE belfry.head(
            hub int8 PRIMARY KEY REFERENCES belfry.hub, fence int8 NOT NULL DEFAULT 0,
            feed int8 NOT NULL DEFAULT 0, head int8 NOT NULL DEFAULT 0,
            head_check int8 NOT NULL DEFAULT 0, first int8 NOT NULL DEFAULT 1,
            feed_first int8 NOT NULL DEFAULT 1, purged int8 NOT NULL DEFAULT 0,
            rid_max int8 NOT NULL DEFAULT 0, checkpoint int8 NOT NULL DEFAULT 0,
            floor int8 NOT NULL DEFAULT 0, merged int8 NOT NULL DEFAULT 0,
            reports bytea NOT NULL DEFAULT '') WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE belfry.epoch(
            hub int8 REFERENCES belfry.hub, first int8, epoch int8 NOT NULL,
            check_below int8 NOT NULL, PRIMARY KEY (hub, first))
        """,
        """
        CREATE TABLE belfry.log(
            hub int8, first int8, count int8 NOT NULL, number int8 NOT NULL,
            records bytea NOT NULL, checksum int8 NOT NULL, PRIMARY KEY (hub, first))
        """,
        """
        CREATE TABLE belfry.feed(
            hub int8, number int8, head_before int8 NOT NULL, changes bytea NOT NULL,
            checksum int8 NOT NULL, PRIMARY KEY (hub, number))
        """,
        """
        CREATE TABLE belfry.item(
            hub int8, kind int2, key bytea, gone int8, body bytea NOT NULL, checksum int8 NOT NULL,
            PRIMARY KEY (hub, kind, key)) WITH (fillfactor = 85)
        """,
        "CREATE INDEX item_gone ON belfry.item(hub, kind, gone) WHERE gone IS NOT NULL",
        cursors("cursor_journal", ""),
        cursors("cursor_chunk", "first bytea NOT NULL, "),
        """
        CREATE TABLE belfry.counter(
            hub int8, block int8, counts bytea NOT NULL, checksum int8 NOT NULL,
            PRIMARY KEY (hub, block))
        """,
        """
        CREATE TABLE belfry.lane(
            hub int8, platform int8, mark bytea NOT NULL, checksum int8 NOT NULL,
            PRIMARY KEY (hub, platform))
        """,
        """
        CREATE TABLE belfry.lane_deferred(
            hub int8, platform int8, seq int8, registration int8, attempt int8 NOT NULL,
            due int8 NOT NULL, expires int8 NOT NULL,
            PRIMARY KEY (hub, platform, seq, registration))
        """,
        """
        CREATE TABLE belfry.lane_failure(
            hub int8, seq int8, platform int8, registration int8, outcome int8 NOT NULL,
            time int8 NOT NULL, reason bytea NOT NULL,
            PRIMARY KEY (hub, seq, platform, registration))
        """,
        "ALTER TABLE belfry.log ALTER records SET STORAGE EXTERNAL",
        "ALTER TABLE belfry.feed ALTER changes SET STORAGE EXTERNAL",
        """
        CREATE TABLE belfry.handover(
            one bool PRIMARY KEY DEFAULT true CHECK (one), run int8 NOT NULL DEFAULT 0,
            until timestamptz NOT NULL DEFAULT '-infinity')
        """,
        "INSERT INTO belfry.lead DEFAULT VALUES",
        "INSERT INTO belfry.handover DEFAULT VALUES",
        standing,
        "INSERT INTO belfry.cluster(schema, id) VALUES (\(version), gen_random_uuid())",
    ]

    /// Made later in databases of the first releases; no other release needs it.
    ///
    /// Its rows tell how far the copies of a node are that waits: groups of all hubs together.
    static let standing = """
        CREATE TABLE IF NOT EXISTS belfry.standing(
            run int8 PRIMARY KEY REFERENCES belfry.node ON DELETE CASCADE, groups int8 NOT NULL,
            is_warm bool NOT NULL, is_ahead bool NOT NULL) WITH (fillfactor = 50)
        """

    /// The tables with rows of hubs, all but those that others refer to.
    static let tablesOfHubs = [
        "log", "feed", "item", "cursor_journal", "cursor_chunk", "counter", "lane",
        "lane_deferred", "lane_failure",
    ]

    private static func cursors(_ name: String, _ column: String) -> String {
        """
        CREATE TABLE belfry.\(name)(
            hub int8, id int8, \(column)cursors bytea NOT NULL, checksum int8 NOT NULL,
            PRIMARY KEY (hub, id))
        """
    }
}
