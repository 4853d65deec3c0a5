import HubCluster
package import HubStore

/// Where and how a server stores its hubs.
package struct StorageOptions: Sendable {
    /// Limits of the hubs' stores.
    package var limits = StoreLimits()
    /// The database that holds the hubs; nil for files in the data folder.
    package var database: DatabaseOptions?

    /// How long a lead of a database's hubs lasts without its node.
    package var leaseSeconds: UInt64 { (database?.lease ?? LeaseLimits()).lease / 1_000 }

    /// Files in the data folder.
    package init() {}
}
