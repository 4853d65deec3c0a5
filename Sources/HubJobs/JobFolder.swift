import Foundation
import HubData
import SystemPackage

/// The folder of a hub in which bulk jobs read and write.
///
/// Every name is opened below the one before, and no link is ever followed, so nothing outside the
/// folder can be reached whatever a caller or the folder's content says. Results are written aside
/// and take their names when they are complete and synced.
package struct JobFolder: Sendable {
    /// Its name in the hub's folder.
    package static let name = "jobs"
    /// Where results are written before they are complete; callers' names begin with no dot.
    private static let aside = ".work"

    private let path: String

    init(path: String) { self.path = path }

    /// Makes what is missing and removes what an earlier job left half written.
    func begin() throws(JobFailure) {
        do throws(ServerError) {
            try DataFolder.makeFolder(path)
            // Mostly there is nothing. A file that stays is found when another is made beside it.
            try? FileManager.default.removeItem(atPath: path + "/" + Self.aside)
            try DataFolder.makeFolder(path + "/" + Self.aside)
        } catch { throw .failed("The hub's folder for jobs cannot be used.") }
    }

    /// Removes what was written aside; what stays goes when the next job begins.
    func end() { try? FileManager.default.removeItem(atPath: path + "/" + Self.aside) }

    /// Opens a file for reading; its size.
    func reading(_ names: [String]) throws(JobFailure) -> (file: FileDescriptor, bytes: UInt64) {
        let shown = names.joined(separator: "/")
        do {
            let folder = try walk(names.dropLast(), making: false)
            let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            let file = try folder.closeAfter {
                try Self.open(names[names.count - 1], in: folder, flags)
            }
            do {
                // A thing without positions to seek is no file.
                return (file, UInt64(max(0, try file.seek(offset: 0, from: .end))))
            } catch {
                // It was only to be read, and the first error is the one to tell.
                try? file.close()
                throw error
            }
        } catch {
            throw .failed("'\(shown)' is no file in the hub's folder for jobs that can be read.")
        }
    }

    /// Makes a file aside, for writing and reading back.
    func making(_ name: String) throws(JobFailure) -> FileDescriptor {
        do {
            let folder = try walk([Self.aside], making: false)
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            return try folder.closeAfter { try Self.open(name, in: folder, flags) }
        } catch { throw .failed("The hub's folder for jobs cannot be written.") }
    }

    /// Gives a file that was made aside its place; durable when this returns.
    func publish(_ name: String, in names: [String]) throws(JobFailure) {
        do {
            let from = try walk([Self.aside], making: false)
            try from.closeAfter {
                let folder = try walk(names[...], making: true)
                try folder.closeAfter {
                    // Both names are borrowed for the call.
                    let result = unsafe renameat(from.rawValue, name, folder.rawValue, name)
                    guard result == 0, fsync(folder.rawValue) == 0 else {
                        throw Errno(rawValue: errno)
                    }
                }
            }
        } catch {
            let shown = names.joined(separator: "/")
            throw .failed("'\(shown)' in the hub's folder for jobs cannot be written.")
        }
    }

    private func walk(_ names: ArraySlice<String>, making: Bool) throws -> FileDescriptor {
        var folder = try FileDescriptor.open(
            FilePath(path),
            .readOnly,
            options: [.directory, .noFollow, .closeOnExec]
        )
        for name in names {
            let parent = folder
            folder = try parent.closeAfter {
                // The name is borrowed for the call; one that is there already is opened below.
                if making, unsafe mkdirat(parent.rawValue, name, 0o700) == 0 {
                    // Otherwise a power cut could take the folder, and what was published with it.
                    guard fsync(parent.rawValue) == 0 else { throw Errno(rawValue: errno) }
                }
                let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
                return try Self.open(name, in: parent, flags)
            }
        }
        return folder
    }

    private static func open(
        _ name: String,
        in folder: FileDescriptor,
        _ flags: CInt
    ) throws -> FileDescriptor {
        // The name is borrowed for the call.
        let number = unsafe openat(folder.rawValue, name, flags, 0o600)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: number)
    }
}
