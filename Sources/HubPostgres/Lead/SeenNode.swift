package import HubCluster

/// A run of a node, and when its database last heard of it.
package struct SeenNode: Hashable, Sendable {
    /// The run.
    package let node: LeadingNode
    /// Milliseconds since it was heard of, by the database's clock.
    package let silence: UInt64
    /// Groups that its copies lack, of all hubs together; nil where it has told nothing of them.
    package let behind: UInt64?
    /// Whether it could lead without reading registrations.
    package let isWarm: Bool
    /// Whether a copy of it has seen more than the database holds.
    package let isAhead: Bool
}

extension PostgresDatabase {
    /// The lead, and each run that did not end with a word, as of one moment.
    package func nodes() throws(PostgresError) -> (lead: LeadRow, nodes: [SeenNode]) {
        let connection = try connect(preparing: [LeadStatements.read])
        defer { connection.close() }
        let answers = try connection.run([
            PostgresCommand(LeadStatements.read),
            PostgresCommand(
                sql: """
                    SELECT node.run, name, address, release, limits, greatest(0, floor(
                            extract(epoch FROM clock_timestamp() - seen) * 1000))::int8,
                        CASE WHEN groups IS NOT NULL THEN greatest(0,
                            (SELECT coalesce(sum(feed), 0) FROM head
                                JOIN hub ON hub.id = head.hub WHERE hub.is_whole) - groups)::int8 END,
                        coalesce(is_warm, false), coalesce(is_ahead, false)
                    FROM node LEFT JOIN standing ON standing.run = node.run
                    WHERE seen > clock_timestamp() - interval '1 day'
                    ORDER BY name, address, node.run
                    """
            ),
        ])
        var nodes: [SeenNode] = []
        for row in 0..<answers[1].count {
            let node = LeadingNode(
                run: try answers[1].number(row, 0),
                name: try answers[1].text(row, 1),
                address: try answers[1].text(row, 2),
                shape: NodeShape(
                    release: try answers[1].text(row, 3),
                    text: try answers[1].text(row, 4)
                )
            )
            let hasTold = try !answers[1].isNull(row, 6)
            nodes.append(
                SeenNode(
                    node: node,
                    silence: try answers[1].number(row, 5),
                    behind: try hasTold ? answers[1].number(row, 6) : nil,
                    isWarm: try answers[1].integer(row, 7) == 1,
                    isAhead: try answers[1].integer(row, 8) == 1
                )
            )
        }
        return (try LeadStatements.row(answers[0]), nodes)
    }
}
