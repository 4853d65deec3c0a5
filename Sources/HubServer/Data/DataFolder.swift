import Foundation

/// The data folder: made 0700, its files 0600, held by one process at a time. Source: rules C.6.
package final class DataFolder: Sendable {
    /// Absolute path without trailing slash.
    package let path: String
    private let lock: FileHandle

    /// Makes the folder when missing and locks it.
    /// - Throws: `.folder`, or `.folderInUse` when another process holds it.
    package init(path text: String) throws(ServerError) {
        let url = URL(fileURLWithPath: text).standardizedFileURL
        path = url.path
        try Self.makeFolder(path)
        let lockPath = path + "/lock"
        if !FileManager.default.fileExists(atPath: lockPath) {
            try Self.write([], to: lockPath)
        }
        guard let handle = FileHandle(forUpdatingAtPath: lockPath) else {
            throw .folder(path: lockPath, reason: "cannot be opened")
        }
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .folderInUse(path: path)
        }
        lock = handle
    }

    /// A path below the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Makes a folder only its owner can look into.
    package static func makeFolder(_ path: String) throws(ServerError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700],
                ofItemAtPath: path
            )
        } catch {
            throw .folder(path: path, reason: error.localizedDescription)
        }
    }

    /// Replaces a file in one step: 0600, written aside, synced, renamed.
    package static func write(_ bytes: [UInt8], to path: String) throws(ServerError) {
        let aside = path + ".new"
        let made = FileManager.default.createFile(
            atPath: aside,
            contents: Data(bytes),
            attributes: [.posixPermissions: 0o600]
        )
        guard made, let handle = FileHandle(forUpdatingAtPath: aside) else {
            throw .folder(path: path, reason: "cannot be written")
        }
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw .folder(path: path, reason: error.localizedDescription)
        }
        // Both names are borrowed for the call.
        guard unsafe rename(aside, path) == 0 else {
            throw .folder(path: path, reason: unsafe String(cString: strerror(errno)))
        }
    }

    /// A file's bytes; nil when it does not exist.
    package static func read(_ path: String) throws(ServerError) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw .folder(path: path, reason: error.localizedDescription)
        }
    }
}
