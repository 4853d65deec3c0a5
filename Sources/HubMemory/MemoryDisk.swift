import Synchronization

/// The disk of a memory store; outlives the store, so that tests can open it again.
package final class MemoryDisk: Sendable {
    let contents = Mutex(MemoryContents())

    /// An empty disk.
    package init() {}

    /// Sets what goes wrong from now on.
    package func setFaults(_ faults: MemoryFaults) { contents.withLock { $0.faults = faults } }

    var faults: MemoryFaults { contents.withLock { $0.faults } }
}
