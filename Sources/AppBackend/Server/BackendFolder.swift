import Foundation
import HubClient
import Synchronization

/// The backend's folder: made 0700, its files 0600, held by one backend at a time.
///
/// Source: rules C.6.
final class BackendFolder: Sendable {
    let path: String
    /// Nil once the folder is left.
    private let lock: Mutex<DeviceLock?>

    /// Makes the folder when it is missing, and takes it.
    init(path: String) throws(BackendError) {
        try Self.make(path)
        self.path = path
        do throws(DeviceStoreError) {
            lock = Mutex(try DeviceLock(path + "/backend.json"))
        } catch .inUse {
            throw .folderInUse(path: path)
        } catch {
            throw .folder(path: path, reason: error.description)
        }
    }

    /// Leaves the folder to the next backend; more calls do nothing.
    func release() { lock.withLock { $0 = nil } }

    /// Makes a folder that only its owner can look into; one that is there stays as it is, since it
    /// may be somebody's for more than this.
    static func make(_ path: String) throws(BackendError) {
        var isFolder: ObjCBool = false
        // The flag lives for the call.
        let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isThere else {
            guard isFolder.boolValue else { throw .folder(path: path, reason: "is no folder") }
            return
        }
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            // It holds what users told the backend.
            _ = FileManager.default.createFile(
                atPath: path + "/.gitignore",
                contents: Data("*\n".utf8),
                attributes: [.posixPermissions: 0o600]
            )
        } catch {
            throw .folder(path: path, reason: error.localizedDescription)
        }
    }

    /// Whether a file, there or not yet, is in a folder or below it, whatever their spelling and
    /// whatever links lead to them.
    static func holds(_ file: String, in folder: String) -> Bool {
        let folder = resolved(folder)
        var parts = resolved(file)
        // The file's own name may be a link's, which is resolved above.
        guard parts.count > folder.count else { return false }
        parts.removeLast(parts.count - folder.count)
        return parts == folder
    }

    /// The components of a path from the root on, with every link of what is there followed.
    private static func resolved(_ path: String) -> [String] {
        var url = URL(fileURLWithPath: path).standardizedFileURL
        var missing: [String] = []
        while url.path != "/", !FileManager.default.fileExists(atPath: url.path) {
            missing.insert(url.lastPathComponent, at: 0)
            url.deleteLastPathComponent()
        }
        return url.resolvingSymlinksInPath().pathComponents + missing
    }

    /// Says where the backend listens.
    func write(_ description: BackendDescription) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(description)) + [UInt8(ascii: "\n")]
        let file = path + "/backend.json"
        let disk = LocalDisk()
        try disk.write(bytes, to: file + ".new")
        try disk.rename(file + ".new", to: file)
        try disk.syncFolder(of: file)
    }

    /// Removes the description of the running backend, since it listens no longer.
    func removeDescription() {
        // One that is left over names a port where no backend answers.
        try? FileManager.default.removeItem(atPath: path + "/backend.json")
    }
}
