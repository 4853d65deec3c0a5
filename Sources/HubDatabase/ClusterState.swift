import HubCluster
package import HubData
import HubPostgres
package import HubVocabulary

/// The nodes of a database and who leads them, read at one moment.
package struct ClusterState: Sendable {
    /// One run of a node.
    package struct Node: Sendable {
        /// Its number; no other run has the same.
        let run: UInt64
        /// The machine's name.
        package let name: String
        /// Where its REST interface listens.
        package let address: String
        /// The release of its program.
        package let release: String
        /// How it stands.
        package let standing: ClusterReport.Standing
        /// Milliseconds since the database heard of it.
        package let silence: UInt64
        /// How far its copies are; nil for a node that leads, and for one that told nothing.
        package let copies: ClusterReport.Copies?
    }

    /// The number of the last lead.
    package let term: UInt64
    /// Milliseconds until the lease ends; 0 when no node leads.
    package let left: UInt64
    /// The runs that were seen in the last day, by name and address.
    package let nodes: [Node]

    /// A node is heard of every two seconds; a look that is not answered costs one more.
    private static let silenceMax: UInt64 = 4_000

    /// Reads it in a database.
    ///
    /// - Throws: `.database` when it cannot be read.
    package static func read(in options: DatabaseOptions) throws(ServerError) -> ClusterState {
        let database = try options.open()
        return try ServerError.ofDatabase { () throws(PostgresError) in try read(database) }
    }

    /// Reads it in a database that is open.
    static func read(_ database: PostgresDatabase) throws(PostgresError) -> ClusterState {
        let (lead, nodes) = try database.nodes()
        return ClusterState(
            term: lead.term,
            left: lead.left,
            nodes: nodes.map { seen in
                let leads = lead.isHeld && seen.node.run == lead.holder
                let copies = seen.behind.map { behind in
                    ClusterReport.Copies(
                        behind: behind,
                        isWarm: seen.isWarm,
                        isAhead: seen.isAhead
                    )
                }
                let waits = !leads && seen.silence <= silenceMax
                return Node(
                    run: seen.node.run,
                    name: seen.node.name,
                    address: seen.node.address,
                    release: seen.node.shape.release,
                    standing: leads
                        ? .leads : seen.silence > silenceMax ? .silent : .standby,
                    silence: seen.silence,
                    copies: waits ? copies : nil
                )
            }
        )
    }
}
