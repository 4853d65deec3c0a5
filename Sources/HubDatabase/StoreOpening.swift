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
            if let opened = try followed(hub, database, epochSeed: seed, tell: tell) {
                return opened
            }
            let groups = try database.lead(hub, tell: tell)
            let store = try ClusterStore(
                groups: groups,
                folder: folder,
                epochSeed: seed,
                limits: limits,
                ending: database.ending,
                progress: progress
            )
            database.report(store.events, of: hub.name, tell: tell)
            database.opened(hub.name, store.copyWrites, .read)
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

    /// Opens the store with the copy that has followed; nil where there is none, or none that can be
    /// used.
    private func followed(
        _ hub: StoredHub,
        _ database: ServerDatabase,
        epochSeed seed: UInt64,
        tell: @escaping @Sendable (String) -> Void
    ) throws(StoreError) -> OpenedStore? {
        guard let standby = database.takeCopy(of: hub) else { return nil }
        let observer = standby.observer
        let groups = try database.lead(hub, tell: tell)
        do throws(StoreError) {
            let store = try ClusterStore(groups: groups, taking: standby, epochSeed: seed)
            database.report(store.events, of: hub.name, tell: tell)
            let start: ServerDatabase.Start = observer.group == nil ? .followed : .warm
            database.opened(hub.name, store.copyWrites, start)
            return OpenedStore(store: store, events: store.events, observer: observer)
        } catch {
            groups.close()
            standby.close()
            if case .fenced = error { throw error }
            return nil
        }
    }

    /// Has the copy of a hub filled anew by the next opening; whether that can help.
    package func discardsCopy(in folder: String, after error: StoreError) throws(StoreError) -> Bool
    {
        guard database != nil, case .corrupted = error else { return false }
        try ClusterStore.removeCopy(in: folder, limits: limits)
        return true
    }
}
