import Synchronization

/// What a memory store keeps; outlives the store, as a disk does, so that tests can open it again.
package final class MemoryDisk: Sendable {
    let contents = Mutex(MemoryContents())

    /// An empty disk.
    package init() {}

    /// Sets what goes wrong from now on.
    package func setFaults(_ faults: MemoryFaults) { contents.withLock { $0.faults = faults } }

    var faults: MemoryFaults { contents.withLock { $0.faults } }
}
