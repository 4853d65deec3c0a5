import HubCluster
package import HubStore

/// Where and how a server stores its hubs.
package struct StorageOptions: Sendable {
    /// Limits of the hubs' stores.
    package var limits = StoreLimits()
    /// The database that holds the hubs; nil for files in the data folder.
    package var database: DatabaseOptions?

    /// The host under which other nodes of the database reach this one; nil is the bound address, or
    /// the machine's name where every address is bound.
    package var nodeHost: String?

    /// How long a lead of a database's hubs lasts without its node.
    package var leaseSeconds: UInt64 { (database?.lease ?? LeaseLimits()).lease / 1_000 }

    /// Files in the data folder.
    package init() {}
}
