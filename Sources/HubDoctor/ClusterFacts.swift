/// The database that holds a server's hubs, as a node sees it.
package struct ClusterFacts: Sendable {
    /// Where it is, without a password.
    package var database: String
    /// Why it cannot be asked; nil when it can.
    package var fault: String?
    /// The fault of `cluster.key`; nil for none.
    package var keyFault: String?
    /// Milliseconds by which its clock is ahead of this machine's.
    package var clockMilliseconds = 0
    /// Standbys that commits wait for, as `synchronous_standby_names` has them.
    package var synchronousNames = ""
    /// Standbys of it that are connected.
    package var standbys = 0
    /// Those of them that commits wait for; nil where that is not known.
    package var synchronous: Int?

    /// A database that is not known yet.
    package init(database: String) { self.database = database }
}
