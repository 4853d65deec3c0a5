import Glibc
import HubClient
import Synchronization

/// A disk in memory that crashes at a step, in the middle of a write too.
final class CrashingDisk: DeviceDisk {
    private struct Content {
        var files: [String: [UInt8]] = [:]
        var stepsLeft = Int.max
        var appends = 0
    }

    private let content = Mutex(Content())

    /// Fails the step after `steps` more, and every one after it.
    func crash(after steps: Int) { content.withLock { $0.stepsLeft = steps } }

    /// The machine is up again; what reached the files is there.
    func restart() { content.withLock { $0.stepsLeft = .max } }

    /// How many appends succeeded.
    var appends: Int { content.withLock { $0.appends } }

    func put(_ bytes: [UInt8], at path: String) { content.withLock { $0.files[path] = bytes } }

    func remove(_ path: String) { content.withLock { $0.files[path] = nil } }

    func bytes(at path: String) -> [UInt8]? { content.withLock { $0.files[path] } }

    func read(_ path: String) throws(DeviceStoreError) -> [UInt8]? { bytes(at: path) }

    func write(_ bytes: [UInt8], to path: String) throws(DeviceStoreError) {
        try content.withLock { content throws(DeviceStoreError) in
            // Making the file, half of the bytes, all of them, the sync: four places to crash.
            for written in [0, bytes.count / 2, bytes.count, bytes.count] {
                try Self.step(&content, "write", path)
                content.files[path] = Array(bytes.prefix(written))
            }
        }
    }

    func append(
        _ bytes: [UInt8],
        to path: String,
        at place: Int
    ) throws(DeviceStoreError) {
        try content.withLock { content throws(DeviceStoreError) in
            guard let known = content.files[path] else {
                throw .system(operation: "open", path: path, code: ENOENT)
            }
            // Half of the bytes, all of them, the sync: three places to crash.
            for written in [bytes.count / 2, bytes.count, bytes.count] {
                try Self.step(&content, "append", path)
                content.files[path] = Array(known.prefix(place)) + bytes.prefix(written)
            }
            content.appends += 1
        }
    }

    func rename(_ old: String, to new: String) throws(DeviceStoreError) {
        try content.withLock { content throws(DeviceStoreError) in
            try Self.step(&content, "rename", new)
            content.files[new] = content.files.removeValue(forKey: old)
        }
    }

    func syncFolder(of path: String) throws(DeviceStoreError) {
        try content.withLock { content throws(DeviceStoreError) in
            try Self.step(&content, "sync", path)
        }
    }

    private static func step(
        _ content: inout Content,
        _ operation: String,
        _ path: String
    ) throws(DeviceStoreError) {
        guard content.stepsLeft > 0 else {
            throw .system(operation: operation, path: path, code: EIO)
        }
        content.stepsLeft -= 1
    }
}
