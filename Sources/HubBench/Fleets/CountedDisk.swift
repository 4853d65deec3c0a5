import HubClient
import Synchronization

/// The machine's disk, with a count of what is synced to it.
final class CountedDisk: DeviceDisk {
    private let disk = LocalDisk()
    private let count = Atomic<Int>(0)

    var syncs: Int { count.load(ordering: .relaxed) }

    func read(_ path: String) throws(DeviceStoreError) -> [UInt8]? { try disk.read(path) }

    func write(_ bytes: [UInt8], to path: String) throws(DeviceStoreError) {
        count.add(1, ordering: .relaxed)
        try disk.write(bytes, to: path)
    }

    func append(_ bytes: [UInt8], to path: String, at place: Int) throws(DeviceStoreError) {
        count.add(1, ordering: .relaxed)
        try disk.append(bytes, to: path, at: place)
    }

    func rename(_ old: String, to new: String) throws(DeviceStoreError) {
        try disk.rename(old, to: new)
    }

    func syncFolder(of path: String) throws(DeviceStoreError) {
        count.add(1, ordering: .relaxed)
        try disk.syncFolder(of: path)
    }

    func lock(_ path: String) throws(DeviceStoreError) -> DeviceLock? { try disk.lock(path) }
}
