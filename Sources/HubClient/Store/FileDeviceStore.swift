/// A store in one file: each commit writes a new file beside it, syncs it, puts it in its place
/// and syncs the folder.
///
/// A crash at any point leaves the old content or the new one. The file holds the device's key, so
/// only its owner may read it. See `DeviceRecord` for what is in it.
package final class FileDeviceStore: DeviceStore {
    package private(set) var state: DeviceState
    package private(set) var waiting: [ReceivedNotification]

    /// Where the state lies.
    package let path: String
    private let disk: any DeviceDisk

    /// Reads a file, or begins a new device when there is none; writes nothing yet.
    ///
    /// - Throws: `.notADeviceFile`, `.versionUnsupported`, `.damaged`, `.system`.
    package init(
        path: String,
        disk: any DeviceDisk = LocalDisk()
    ) throws(DeviceStoreError) {
        self.path = path
        self.disk = disk
        guard let bytes = try disk.read(path) else {
            state = DeviceState()
            waiting = []
            return
        }
        (state, waiting) = try DeviceRecord.decode(bytes, path: path)
    }

    package func commit(
        _ state: DeviceState,
        adding notifications: [ReceivedNotification]
    ) throws(DeviceStoreError) {
        let all = waiting + notifications
        try write(state, all)
        self.state = state
        waiting = all
    }

    package func markTaken(through number: UInt64) throws(DeviceStoreError) {
        let rest = waiting.filter { $0.number > number }
        guard rest.count != waiting.count else { return }
        try write(state, rest)
        waiting = rest
    }

    private func write(
        _ state: DeviceState,
        _ notifications: [ReceivedNotification]
    ) throws(DeviceStoreError) {
        let temporary = path + ".new"
        try disk.write(DeviceRecord.encode(state, notifications), to: temporary)
        try disk.rename(temporary, to: path)
        try disk.syncFolder(of: path)
    }
}
