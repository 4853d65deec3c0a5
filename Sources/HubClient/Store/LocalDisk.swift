import Glibc

/// The real file system.
package struct LocalDisk: DeviceDisk {
    /// The disk of this machine.
    package init() {}

    /// The whole content of a file; nil when there is none.
    /// - Throws: `.system`.
    package func read(_ path: String) throws(DeviceStoreError) -> [UInt8]? {
        // The path is borrowed for the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(operation: "open", path: path, code: errno)
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            // The call writes at most what the array holds.
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .system(operation: "read", path: path, code: errno) }
            if count == 0 { return content }
            content.append(contentsOf: piece[0..<count])
        }
    }

    /// Writes a file that only its owner may read, and syncs it.
    /// - Throws: `.system`.
    package func write(_ bytes: [UInt8], to path: String) throws(DeviceStoreError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        // The path is borrowed for the call.
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw .system(operation: "create", path: path, code: errno) }
        defer { close(descriptor) }
        // A file that another program left over may have other rights.
        guard fchmod(descriptor, 0o600) == 0 else {
            throw .system(operation: "protect", path: path, code: errno)
        }
        try Self.write(bytes, to: descriptor, at: 0, path)
        guard fsync(descriptor) == 0 else {
            throw .system(operation: "sync", path: path, code: errno)
        }
    }

    /// Writes bytes from a place on into a file that is there, and syncs it.
    /// - Throws: `.system`; then some of the bytes may be in the file.
    package func append(
        _ bytes: [UInt8],
        to path: String,
        at place: Int
    ) throws(DeviceStoreError) {
        // The path is borrowed for the call.
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .system(operation: "open", path: path, code: errno) }
        defer { close(descriptor) }
        try Self.write(bytes, to: descriptor, at: place, path)
        guard fdatasync(descriptor) == 0 else {
            throw .system(operation: "sync", path: path, code: errno)
        }
    }

    private static func write(
        _ bytes: [UInt8],
        to descriptor: Int32,
        at place: Int,
        _ path: String
    ) throws(DeviceStoreError) {
        var written = 0
        while written < bytes.count {
            // The range lies within the array, which lives for the call.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe pwrite(descriptor, rest.baseAddress, rest.count, place + written)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .system(operation: "write", path: path, code: errno) }
            written += count
        }
    }

    /// Puts one file in another's place, atomically.
    /// - Throws: `.system`.
    package func rename(_ old: String, to new: String) throws(DeviceStoreError) {
        // Both paths are borrowed for the call.
        guard unsafe Glibc.rename(old, new) == 0 else {
            throw .system(operation: "replace", path: new, code: errno)
        }
    }

    /// Takes the lock of a file.
    /// - Throws: `.inUse`, `.system`.
    package func lock(_ path: String) throws(DeviceStoreError) -> DeviceLock? {
        try DeviceLock(path)
    }

    /// Makes the renames in a folder durable.
    /// - Throws: `.system`.
    package func syncFolder(of path: String) throws(DeviceStoreError) {
        let folder: String
        if let slash = path.lastIndex(of: "/") {
            folder = slash == path.startIndex ? "/" : String(path[..<slash])
        } else {
            folder = "."
        }
        // The path is borrowed for the call.
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(operation: "open", path: folder, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw .system(operation: "sync", path: folder, code: errno)
        }
    }
}
