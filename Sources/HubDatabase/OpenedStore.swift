package import HubModel

/// A hub's store that was opened, and what came with it.
package struct OpenedStore {
    /// The store.
    package let store: any HubStorage
    /// News of the opening for an operator.
    package let events: [StoreEvent]
    /// Has heard of everything that the store's copy holds, or is void; nil where none listened.
    package let observer: (any CopyObserver)?
}
