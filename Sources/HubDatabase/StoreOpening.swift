package import HubData
package import HubModel
import HubPostgres
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
    ) throws(StoreError) -> OpenedStore {
        // Names an epoch, so it must be random.
        let seed = UInt64.random(in: .min ... .max)
        if let database {
            let groups = try database.lead(hub, tell: tell)
            if let standby = database.takeCopy(of: hub) {
                let observer = standby.observer
                let store = try ClusterStore(groups: groups, taking: standby, epochSeed: seed)
                database.report(store.events, of: hub.name, tell: tell)
                database.tell(hub.name, observer.group == nil ? .followed : .warm)
                return OpenedStore(store: store, events: store.events, observer: observer)
            }
            let store = try ClusterStore(
                groups: groups,
                folder: folder,
                epochSeed: seed,
                limits: limits,
                progress: progress
            )
            database.report(store.events, of: hub.name, tell: tell)
            database.tell(hub.name, .read)
            return OpenedStore(store: store, events: store.events, observer: nil)
        }
        let store = try SQLiteStore(
            folder: folder,
            epochSeed: seed,
            limits: limits,
            progress: progress
        )
        return OpenedStore(store: store, events: store.events, observer: nil)
    }
}
