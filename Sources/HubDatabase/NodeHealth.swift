package import HubData
import HubPostgres

/// The health of a node's database and of its key, looked at from outside.
package struct NodeHealth: Sendable {
    /// The clock of the database's server, in milliseconds since 1970.
    package let clock: UInt64
    /// Standbys that commits wait for, as the server's setting names them; empty for none.
    package let synchronousNames: String
    /// Standbys that are connected.
    package let standbys: UInt64
    /// Those of them that commits wait for; nil where the role may not see that.
    package let synchronous: UInt64?
    /// Why the folder's `cluster.key` does not open the keys of the hubs; nil when it does, and when
    /// the database has none yet.
    package let keyFault: String?

    /// Looks at the database that holds a folder's hubs, and changes nothing.
    ///
    /// - Throws: `.database` when it cannot be read.
    package static func read(
        _ options: DatabaseOptions,
        folder: String
    ) throws(ServerError) -> NodeHealth {
        let database = try options.open()
        let server = try ServerError.ofDatabase { () throws(PostgresError) in
            try database.health()
        }
        let sealed = try ServerError.ofDatabase { () throws(PostgresError) in
            try database.sealedKeys()
        }
        return NodeHealth(
            clock: server.clock,
            synchronousNames: server.synchronousNames,
            standbys: server.standbys,
            synchronous: server.synchronous,
            keyFault: sealed.flatMap { fault(folder, opening: $0, of: database.id) }
        )
    }

    private static func fault(
        _ folder: String,
        opening sealed: [UInt8],
        of database: String
    ) -> String? {
        do throws(ServerError) {
            guard let key = try ClusterKey(in: folder) else { return "is missing" }
            return key.open(sealed, of: database) == nil ? "is another one" : nil
        } catch {
            return "cannot be read"
        }
    }
}
