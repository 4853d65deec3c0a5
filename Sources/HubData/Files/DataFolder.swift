import Foundation
import Synchronization
import SystemPackage

/// The data folder: made 0700, its files 0600, held by one process at a time.
///
/// Source: rules C.6.
package final class DataFolder: Sendable {
    /// Absolute path without trailing slash.
    package let path: String
    /// The folder itself, with the lock on it; nil when released.
    private let descriptor: Mutex<FileDescriptor?>

    /// Makes the folder when missing and locks it.
    /// - Throws: `.folder`, or `.folderInUse` when another process holds it.
    package init(path text: String) throws(ServerError) {
        path = URL(fileURLWithPath: text).standardizedFileURL.path
        let isNew = !FileManager.default.fileExists(atPath: path)
        try Self.makeFolder(path)
        if isNew { Self.keepOutOfGit(path) }
        let opened = try Self.opened(path)
        guard flock(opened.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            let code = Errno(rawValue: errno)
            // The lock is what counts; a descriptor that does not close is the process's end.
            try? opened.close()
            if code == .wouldBlock { throw .folderInUse(path: path) }
            throw .folder(path: path, reason: "\(code)")
        }
        descriptor = Mutex(opened)
    }

    deinit { release() }

    /// Lets others hold the folder; more calls do nothing.
    package func release() {
        descriptor.withLock { descriptor in
            // A child that was begun just now has a copy of it until its own program runs, and
            // closing ours would leave the lock to that.
            if let held = descriptor { _ = flock(held.rawValue, LOCK_UN) }
            // The lock is given back already; closing has nothing more to say.
            try? descriptor?.close()
            descriptor = nil
        }
    }

    /// A path below the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Lets git ignore a new folder, since it holds keys.
    private static func keepOutOfGit(_ path: String) {
        // It only helps: a folder that takes no file says so with the next one.
        _ = FileManager.default.createFile(
            atPath: path + "/.gitignore",
            contents: Data("*\n".utf8),
            attributes: [.posixPermissions: 0o600]
        )
    }

    /// Makes a folder only its owner can look into; an existing one becomes so.
    package static func makeFolder(_ path: String) throws(ServerError) {
        var missing = path
        var made: [String] = []
        while !missing.isEmpty, missing != "/", !FileManager.default.fileExists(atPath: missing) {
            made.append(missing)
            missing = above(missing)
        }
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
        // A folder is there after a power cut only when the one above it knows its name.
        for folder in made { try sync(above(folder)) }
    }

    /// Makes the names of what is in a folder durable.
    package static func sync(_ path: String) throws(ServerError) {
        do {
            let folder = try opened(path)
            try folder.closeAfter { try check(fsync(folder.rawValue)) }
        } catch let error as ServerError {
            throw error
        } catch {
            throw .folder(path: path, reason: "cannot be synced: \(error)")
        }
    }

    /// Replaces a file in one step: 0600 from its first byte on, written aside, synced, renamed.
    package static func write(_ bytes: [UInt8], to path: String) throws(ServerError) {
        let aside = path + ".new"
        do {
            let file = try FileDescriptor.open(
                FilePath(aside),
                .writeOnly,
                options: [.create, .truncate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
            try file.closeAfter {
                // One left over from a write that was cut off keeps its mode when it is opened.
                try check(fchmod(file.rawValue, 0o600))
                try file.writeAll(bytes)
                try check(fsync(file.rawValue))
            }
            // Both names are borrowed for the call.
            try check(unsafe rename(aside, path))
            let folder = try opened(above(path))
            try folder.closeAfter { try check(fsync(folder.rawValue)) }
        } catch let error as ServerError {
            throw error
        } catch {
            throw .folder(path: path, reason: "cannot be written: \(error)")
        }
    }

    /// Gives a file or folder another name within one folder; durable when this returns.
    ///
    /// Both are paths in the same folder, and nothing may have the new name.
    package static func move(_ path: String, to other: String) throws(ServerError) {
        do {
            // Both names are borrowed for the call.
            try check(unsafe rename(path, other))
            let folder = try opened(above(other))
            try folder.closeAfter { try check(fsync(folder.rawValue)) }
        } catch let error as ServerError {
            throw error
        } catch {
            throw .folder(path: path, reason: "cannot be renamed: \(error)")
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

    /// The folder that a path lies in: `/` directly below the root, empty where none is named.
    ///
    /// `FilePath` knows it too; without optimisation it took longer than all else that is done here.
    private static func above(_ path: String) -> String {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        return path.hasPrefix("/") ? "/" + folder : folder
    }

    private static func opened(_ path: String) throws(ServerError) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                FilePath(path.isEmpty ? "." : path),
                .readOnly,
                options: [.directory, .closeOnExec]
            )
        } catch {
            throw .folder(path: path, reason: "\(error)")
        }
    }

    private static func check(_ result: CInt) throws {
        if result != 0 { throw Errno(rawValue: errno) }
    }
}
