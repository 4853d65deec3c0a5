package import HubCluster

/// A run of a node, and when its database last heard of it.
package struct SeenNode: Hashable, Sendable {
    /// The run.
    package let node: LeadingNode
    /// Milliseconds since it was heard of, by the database's clock.
    package let silence: UInt64
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
                    SELECT run, name, address, release, limits, greatest(0, floor(
                        extract(epoch FROM clock_timestamp() - seen) * 1000))::int8
                    FROM node WHERE seen > clock_timestamp() - interval '1 day'
                    ORDER BY name, address, run
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
            nodes.append(SeenNode(node: node, silence: try answers[1].number(row, 5)))
        }
        return (try LeadStatements.row(answers[0]), nodes)
    }
}
