/// The few steps a store needs from the file system, so that tests can fail each of them.
package protocol DeviceDisk: Sendable {
    /// The whole content of a file; nil when there is none.
    /// - Throws: `.system`.
    func read(_ path: String) throws(DeviceStoreError) -> [UInt8]?
    /// Makes or empties a file that only its owner may read, writes all bytes and syncs them.
    /// - Throws: `.system`.
    func write(_ bytes: [UInt8], to path: String) throws(DeviceStoreError)
    /// Writes bytes from a place on into a file that is there, and syncs it.
    /// - Throws: `.system`; then some of the bytes may be in the file.
    func append(
        _ bytes: [UInt8],
        to path: String,
        at place: Int
    ) throws(DeviceStoreError)
    /// Puts one file in another's place, atomically.
    /// - Throws: `.system`.
    func rename(_ old: String, to new: String) throws(DeviceStoreError)
    /// Makes the renames in a folder durable.
    /// - Throws: `.system`.
    func syncFolder(of path: String) throws(DeviceStoreError)
    /// Keeps a file for its holder alone until the lock is let go; nil where no other can come.
    /// - Throws: `.inUse` when another one holds it, `.system`.
    func lock(_ path: String) throws(DeviceStoreError) -> DeviceLock?
}

extension DeviceDisk {
    /// For disks that belong to one test.
    package func lock(_ path: String) throws(DeviceStoreError) -> DeviceLock? { nil }
}
