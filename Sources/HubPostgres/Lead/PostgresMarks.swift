/// The marks of all hubs, as a node that waits looks at them, and its own row beside; on one thread.
package final class PostgresMarks {
    /// The part of its copies that a node tells others.
    package struct Standing: Hashable, Sendable {
        /// Groups that the copies have, of all hubs together.
        package var groups: UInt64
        /// Whether it could lead without reading registrations.
        package var isWarm: Bool
        /// Whether a copy has seen more than the database holds, which was set back then.
        package var isAhead: Bool

        /// Joins all.
        package init(groups: UInt64, isWarm: Bool, isAhead: Bool) {
            (self.groups, self.isWarm, self.isAhead) = (groups, isWarm, isAhead)
        }
    }

    private static let read = PostgresStatement(
        "marks_read",
        """
        SELECT hub.name, feed, head, first, purged, fence, checkpoint
        FROM hub JOIN head ON head.hub = hub.id WHERE hub.is_whole ORDER BY hub.name
        """
    )
    /// A run without a row in `node` has none here.
    private static let note = PostgresStatement(
        "standing_note",
        """
        INSERT INTO standing(run, groups, is_warm, is_ahead)
        SELECT $1::int8, $2::int8, $3::int8 = 1, $4::int8 = 1 FROM node WHERE run = $1::int8
        ON CONFLICT (run) DO UPDATE SET groups = excluded.groups, is_warm = excluded.is_warm,
            is_ahead = excluded.is_ahead
        """
    )

    private let database: PostgresDatabase
    private let run: UInt64
    private var connection: PostgresConnection?

    /// Asks nothing yet; `run` is the node's own.
    package init(_ database: PostgresDatabase, run: UInt64) {
        self.database = database
        self.run = run
    }

    /// The mark of each hub, by its name in the database.
    package func all() throws(PostgresError) -> [String: HubMark] {
        let rows = try asked(PostgresCommand(Self.read))
        var marks: [String: HubMark] = [:]
        for row in 0..<rows.count {
            marks[try rows.text(row, 0)] = try HubMark(rows, row, from: 1)
        }
        return marks
    }

    /// Has other nodes see how far the copies are.
    package func note(_ standing: Standing) throws(PostgresError) {
        _ = try asked(
            PostgresCommand(Self.note) { values in
                values.append(run)
                values.append(standing.groups)
                values.append(UInt64(standing.isWarm ? 1 : 0))
                values.append(UInt64(standing.isAhead ? 1 : 0))
            }
        )
    }

    /// Ends the connection.
    package func close() {
        connection?.close()
        connection = nil
    }

    private func asked(_ command: PostgresCommand) throws(PostgresError) -> PostgresRows {
        let open: PostgresConnection
        if let connection, connection.isOpen {
            open = connection
        } else {
            var short = database.limits
            short.answering = min(short.answering, .seconds(2))
            open = try database.connect(preparing: [Self.read, Self.note], within: short)
            connection = open
        }
        do throws(PostgresError) {
            return try open.run(command)
        } catch {
            // The next look may find another primary.
            close()
            throw error
        }
    }
}
