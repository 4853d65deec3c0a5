import Synchronization

/// A store in one file: each commit writes a new file beside it, syncs it, puts it in its place
/// and syncs the folder.
///
/// A crash at any point leaves the old content or the new one. The file holds the device's key, so
/// only its owner may read it. See `DeviceRecord` for what is in it.
package final class FileDeviceStore: DeviceStore {
    /// Where the state lies.
    package let path: String
    private let disk: any DeviceDisk
    /// Two devices with one identity would take each other's session and overwrite each other.
    private let lock: Mutex<DeviceLock?>
    private let content: Mutex<StoredContent>
    private let isReleased = Mutex(false)

    /// Reads a file, or begins a new device when there is none; writes nothing to it yet.
    ///
    /// The file is this store's alone until the store goes, or until `release`.
    /// - Throws: `.inUse`, `.notADeviceFile`, `.versionUnsupported`, `.damaged`, `.system`.
    package init(
        path: String,
        disk: any DeviceDisk = LocalDisk()
    ) throws(DeviceStoreError) {
        self.path = path
        self.disk = disk
        lock = Mutex(try disk.lock(path))
        guard let bytes = try disk.read(path) else {
            content = Mutex(StoredContent(state: DeviceState()))
            return
        }
        content = Mutex(try DeviceRecord.decode(bytes, path: path))
    }

    /// What was committed last.
    package var state: DeviceState { content.withLock { $0.state } }

    /// Stored notifications that the app has not taken, oldest first.
    package var waiting: [ReceivedNotification] { content.withLock { $0.waiting } }

    /// Takes a state and adds notifications, in one step.
    /// - Throws: `DeviceStoreError`; then everything is as before.
    package func commit(
        _ state: DeviceState,
        adding notifications: [ReceivedNotification]
    ) throws(DeviceStoreError) {
        try replace { content in
            content.state = state
            content.waiting.append(contentsOf: notifications)
        }
    }

    /// Forgets the waiting notifications up to a number.
    /// - Throws: `DeviceStoreError`; then everything is as before.
    package func markTaken(through number: UInt64) throws(DeviceStoreError) {
        guard waiting.contains(where: { $0.number <= number }) else { return }
        try replace { content in content.waiting.removeAll { $0.number <= number } }
    }

    /// Leaves the file to others: its device has ended.
    ///
    /// What is still noted here is added to what the file holds then.
    func release() {
        // Not while a change is being written.
        content.withLock { _ in
            isReleased.withLock { $0 = true }
            lock.withLock { $0 = nil }
        }
    }

    /// Writes the changed content, and keeps it only when all of that succeeded.
    private func replace(_ change: (inout StoredContent) -> Void) throws(DeviceStoreError) {
        try content.withLock { content throws(DeviceStoreError) in
            var borrowed: DeviceLock?
            if isReleased.withLock({ $0 }) {
                borrowed = try disk.lock(path)
                if let bytes = try disk.read(path) {
                    content = try DeviceRecord.decode(bytes, path: path)
                }
            }
            defer { withExtendedLifetime(borrowed) {} }
            var next = content
            change(&next)
            let temporary = path + ".new"
            try disk.write(DeviceRecord.encode(next), to: temporary)
            try disk.rename(temporary, to: path)
            try disk.syncFolder(of: path)
            content = next
        }
    }
}
