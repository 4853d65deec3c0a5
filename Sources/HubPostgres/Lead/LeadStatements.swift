import HubCluster

/// Statements about the row `lead`, and about the nodes that want it.
enum LeadStatements {
    /// Seconds after which a node's own row says again that it is there.
    private static let seenSeconds = 2
    /// The run to which the lead is promised, while it is there: one that ends delays no other node.
    private static let promised = """
        SELECT h.run FROM handover h JOIN node n ON n.run = h.run
        WHERE h.until > clock_timestamp()
            AND n.seen > clock_timestamp() - interval '\(seenSeconds * 2) s'
        """

    /// The row; `left` is rounded down, so that no node believes for too long.
    static let read = PostgresStatement(
        "lead_read",
        """
        SELECT term, holder, node, address, devices,
            CASE WHEN until > clock_timestamp() THEN greatest(0, floor(
                extract(epoch FROM until - clock_timestamp()) * 1000))::int8 ELSE 0::int8 END,
            coalesce((\(promised)), 0),
            floor(extract(epoch FROM clock_timestamp()) * 1000)::int8
        FROM lead
        """
    )

    /// Takes a lead whose lease has ended, or undoes everything.
    static let take = PostgresStatement(
        "lead_take",
        """
        WITH l AS (UPDATE lead SET term = term + 1, holder = $2, node = $3, address = $4,
            devices = $6,
            until = clock_timestamp() + make_interval(secs => ($5::int8 / 1000.0)::float8)
            WHERE term = $1 AND until < clock_timestamp() AND coalesce((\(promised)), $2) = $2
            RETURNING 1)
        SELECT 1 / (SELECT count(*)::int FROM l)
        """
    )
    /// Nothing that was sent under an earlier term is stored behind this.
    static let fence = PostgresStatement("lead_fence", "UPDATE head SET fence = fence + 1")
    /// A promise is kept once.
    static let keep = PostgresStatement("lead_keep", "UPDATE handover SET until = '-infinity'")
    static let renew = PostgresStatement(
        "lead_renew",
        """
        UPDATE lead SET node = $3, address = $4, devices = $6,
            until = clock_timestamp() + make_interval(secs => ($5::int8 / 1000.0)::float8)
        WHERE term = $1 AND holder = $2
        """
    )
    static let release = PostgresStatement(
        "lead_release",
        "UPDATE lead SET until = '-infinity' WHERE term = $1 AND holder = $2"
    )

    /// Says that a node is there, every few seconds.
    static let note = PostgresStatement(
        "node_note",
        """
        INSERT INTO node(run, name, address, release, limits, seen)
        VALUES ($1, $2, $3, $4, $5, clock_timestamp())
        ON CONFLICT (run) DO UPDATE SET address = excluded.address, limits = excluded.limits,
            seen = excluded.seen
        WHERE node.seen < clock_timestamp() - interval '\(seenSeconds) s'
            OR node.address <> excluded.address OR node.limits <> excluded.limits
        """
    )
    static let leave = PostgresStatement("node_leave", "DELETE FROM node WHERE run = $1")
    /// Rows of runs that ended without a word.
    static let forget = PostgresStatement(
        "node_forget",
        "DELETE FROM node WHERE seen < clock_timestamp() - interval '1 day'"
    )

    static let all = [read, take, fence, keep, renew, release, note, leave, forget]

    /// Undoes everything that is sent with it, unless a term goes on; it keeps its end away until
    /// then.
    static func require(_ term: UInt64) -> PostgresCommand {
        PostgresCommand(
            sql: """
                WITH l AS (SELECT 1 FROM lead WHERE term = $1 FOR SHARE)
                SELECT 1 / (SELECT count(*)::int FROM l)
                """
        ) { $0.append(term) }
    }

    static func row(_ rows: PostgresRows) throws(PostgresError) -> LeadRow {
        guard rows.count == 1 else { throw .shape("no row of the lead") }
        return LeadRow(
            term: try rows.number(0, 0),
            holder: try rows.number(0, 1),
            node: try rows.text(0, 2),
            address: try rows.text(0, 3),
            devices: try rows.text(0, 4),
            left: try rows.number(0, 5),
            wanted: try rows.number(0, 6),
            clock: try rows.number(0, 7)
        )
    }
}
