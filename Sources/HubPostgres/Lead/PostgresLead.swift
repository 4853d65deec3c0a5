package import HubCluster

/// The row `lead` of a database, as one run of a node asks it; on one thread.
///
/// Each request is one transaction on a connection of its own, so that no group makes it wait.
package final class PostgresLead {
    /// The node, as others see it.
    package var node: LeadingNode

    private let database: PostgresDatabase
    private let limits: LeaseLimits
    private var connection: PostgresConnection?

    /// A lease does not wait as long as a group does.
    private static let answering: Duration = .seconds(1)

    /// Asks nothing yet.
    package init(_ database: PostgresDatabase, _ node: LeadingNode, limits: LeaseLimits) {
        self.database = database
        self.node = node
        self.limits = limits
    }

    /// Carries a request out; the row behind it.
    ///
    /// - Throws: when it is not known whether it was carried out, or when it was not.
    package func ask(_ request: LeaseRequest) throws(PostgresError) -> LeadRow {
        let connection = try connected()
        do throws(PostgresError) {
            return try run(commands(of: request), connection)
        } catch {
            // Another was quicker, or an earlier attempt came late: the row says which.
            if error.refusal == .fence { return try run([], connection) }
            // The primary that it was is a standby now.
            if error.refusal == .readOnly { close() }
            throw error
        }
    }

    /// Has other nodes see that this run has ended.
    package func leave() throws(PostgresError) {
        _ = try connected().run(PostgresCommand(LeadStatements.leave) { $0.append(node.run) })
    }

    /// Ends the connection.
    package func close() {
        connection?.close()
        connection = nil
    }

    private func run(
        _ commands: [PostgresCommand],
        _ connection: PostgresConnection
    ) throws(PostgresError) -> LeadRow {
        let note = PostgresCommand(LeadStatements.note) { values in
            values.append(node.run)
            values.append(node.name)
            values.append(node.address)
            values.append(node.shape.release)
            values.append(node.shape.text)
        }
        let all = commands + [note, PostgresCommand(LeadStatements.read)]
        return try LeadStatements.row(try connection.run(all)[commands.count + 1])
    }

    private func commands(of request: LeaseRequest) -> [PostgresCommand] {
        switch request {
        case .look: []
        case .take(let term):
            [
                leased(LeadStatements.take, term), PostgresCommand(LeadStatements.fence),
                PostgresCommand(LeadStatements.keep), PostgresCommand(LeadStatements.forget),
            ]
        case .renew(let term): [leased(LeadStatements.renew, term)]
        case .release(let term):
            [
                PostgresCommand(LeadStatements.release) { values in
                    values.append(term)
                    values.append(node.run)
                }
            ]
        }
    }

    private func leased(_ statement: PostgresStatement, _ term: UInt64) -> PostgresCommand {
        PostgresCommand(statement) { values in
            values.append(term)
            values.append(node.run)
            values.append(node.name)
            values.append(node.address)
            values.append(limits.lease)
            values.append(node.devices)
        }
    }

    private func connected() throws(PostgresError) -> PostgresConnection {
        if let connection, connection.isOpen { return connection }
        var short = database.limits
        short.connecting = min(short.connecting, Self.answering)
        short.answering = min(short.answering, Self.answering)
        let made = try database.connect(preparing: LeadStatements.all, within: short)
        connection = made
        return made
    }
}
