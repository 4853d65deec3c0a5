import Synchronization

/// A store in one file: each commit appends what it changes and syncs the file.
///
/// When the appended part has grown large, a commit writes a new file beside it, syncs it, puts it
/// in its place and syncs the folder. A crash at any point leaves a commit whole or absent. The file
/// holds the device's key, so only its owner may read it. See `DeviceJournal` for its content.
package final class FileDeviceStore: DeviceStore {
    /// The file as this store knows it, and its content.
    private struct Content {
        var memory = DeviceMemory()
        /// Nil when there is no file, or when it may have a cut end: the next commit replaces it.
        var extent: DeviceJournal.Extent?
        var isReleased = false
    }

    /// Where the state lies.
    package let path: String
    private let disk: any DeviceDisk
    private let journalBytesMax: Int
    /// Two devices with one identity would take each other's session and overwrite each other.
    private let lock: Mutex<DeviceLock?>
    private let content: Mutex<Content>

    /// Reads a file, or begins a new device when there is none; writes nothing to it yet.
    ///
    /// The file is this store's alone until the store goes, or until `release`.
    /// - Parameters:
    ///   - path: where the state lies.
    ///   - disk: the file system.
    ///   - journalBytesMax: bytes that are appended at least before the file is replaced.
    /// - Throws: `.inUse`, `.notADeviceFile`, `.versionUnsupported`, `.damaged`, `.system`.
    package init(
        path: String,
        disk: any DeviceDisk = LocalDisk(),
        journalBytesMax: Int = 2 << 20
    ) throws(DeviceStoreError) {
        self.path = path
        self.disk = disk
        self.journalBytesMax = journalBytesMax
        lock = Mutex(try disk.lock(path))
        content = Mutex(try Self.read(path, from: disk))
    }

    private static func read(
        _ path: String,
        from disk: any DeviceDisk
    ) throws(DeviceStoreError) -> Content {
        guard let bytes = try disk.read(path) else { return Content() }
        let (memory, extent) = try DeviceJournal.decode(bytes, path: path)
        return Content(memory: memory, extent: extent)
    }

    /// The state that was committed last.
    package var state: DeviceState { content.withLock { $0.memory.state } }

    /// Stored notifications that the app has not taken, oldest first.
    package var waiting: [ReceivedNotification] { content.withLock { $0.memory.waiting } }

    /// How many of them there are.
    package var waitingCount: Int { content.withLock { $0.memory.waitingCount } }

    /// Appends a change to the file, or replaces the file.
    /// - Throws: `DeviceStoreError`; then everything is as before.
    package func commit(_ change: StoreChange) throws(DeviceStoreError) {
        try content.withLock { content throws(DeviceStoreError) in
            var borrowed: DeviceLock?
            if content.isReleased {
                borrowed = try disk.lock(path)
                content = try Self.read(path, from: disk)
                content.isReleased = true
            }
            defer { withExtendedLifetime(borrowed) {} }
            if change.state == nil, change.added.isEmpty {
                guard let number = change.takenThrough, content.memory.waits(upTo: number) else {
                    return
                }
            }
            if append(change, to: &content) { return }
            try replace(with: change, &content)
        }
    }

    /// Leaves the file to others: its device has ended.
    ///
    /// A later commit adds to what the file holds then.
    package func release() {
        // Not while a change is being written.
        content.withLock { content in
            content.isReleased = true
            lock.withLock { $0 = nil }
        }
    }

    /// Appends a change where that is possible; false when the file has to be replaced.
    private func append(_ change: StoreChange, to content: inout Content) -> Bool {
        guard let extent = content.extent, extent.journalBytes < journalBytesMax(extent) else {
            return false
        }
        let record = DeviceJournal.record(change, after: content.memory, at: extent.bytes)
        do throws(DeviceStoreError) {
            try disk.append(record, to: path, at: extent.bytes)
        } catch {
            // A part of the record may be in the file, and a failed sync is not repeated.
            content.extent = nil
            return false
        }
        content.memory.apply(change)
        content.extent?.bytes += record.count
        return true
    }

    private func journalBytesMax(_ extent: DeviceJournal.Extent) -> Int {
        // Twice what is live, so that rewriting costs each byte a constant.
        journalBytesMax == 0 ? 0 : max(journalBytesMax, 2 * extent.wholeBytes)
    }

    /// Puts a file with everything in the place of the one that is there.
    private func replace(
        with change: StoreChange,
        _ content: inout Content
    ) throws(DeviceStoreError) {
        var next = content.memory
        next.apply(change)
        let bytes = DeviceJournal.file(next)
        let temporary = path + ".new"
        content.extent = nil
        try disk.write(bytes, to: temporary)
        try disk.rename(temporary, to: path)
        try disk.syncFolder(of: path)
        content.memory = next
        content.extent = DeviceJournal.Extent(bytes: bytes.count, wholeBytes: bytes.count)
    }
}
