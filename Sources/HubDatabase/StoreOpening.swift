package import HubData
package import HubModel
package import HubStore

/// The opening of a hub's store, in its files or in a database.
package struct StoreOpening: Sendable {
    private let database: ServerDatabase?
    private let limits: StoreLimits

    /// Opens in a database, or in files without one.
    package init(_ database: ServerDatabase?, limits: StoreLimits) {
        self.database = database
        self.limits = limits
    }

    /// Opens the store of a hub, whose files or copy lie in `folder`; on the hub's writer thread.
    ///
    /// `tell` hears sentences for operators, which are logged and counted already.
    package func open(
        _ hub: StoredHub,
        folder: String,
        tell: @escaping @Sendable (String) -> Void,
        progress: @escaping (String) -> Void
    ) throws(StoreError) -> (store: any HubStorage, events: [StoreEvent]) {
        // Names an epoch, so it must be random.
        let seed = UInt64.random(in: .min ... .max)
        if let database {
            let store = try ClusterStore(
                groups: database.lead(hub, tell: tell),
                folder: folder,
                epochSeed: seed,
                limits: limits,
                progress: progress
            )
            database.report(store.events, of: hub.name, tell: tell)
            return (store, store.events)
        }
        let store = try SQLiteStore(
            folder: folder,
            epochSeed: seed,
            limits: limits,
            progress: progress
        )
        return (store, store.events)
    }
}
