import Foundation
import Glibc
import HubModel

/// One hub's folder, `DIR/hubs/NAME`: readable by its owner only, held by one process.
///
/// Source: rules A.1, C.6.
final class StoreFolder {
    /// The folder.
    let path: String
    private var descriptor: CInt

    /// Makes the folder and those above it as far as they are missing, and locks it.
    ///
    /// - Throws: `.cannotOpen` with the system's reason, `.locked` when another store has it.
    init(path: String) throws(StoreError) {
        self.path = path
        try Self.make(path[...])
        // In this file, strings become C strings that live as long as the call that reads them.
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        guard Self.lock(descriptor) else {
            let isHeld = errno == EWOULDBLOCK
            let failure = Self.failure(path)
            Glibc.close(descriptor)
            throw isHeld ? .locked(path: path) : failure
        }
    }

    deinit { close() }

    /// Takes the lock within half a second: a process that was just started by the one that held it
    /// holds it too until its program begins.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<50 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK else { return false }
            usleep(10_000)
        }
        errno = EWOULDBLOCK
        return false
    }

    /// Lets go of the folder; more calls do nothing.
    func close() {
        guard descriptor >= 0 else { return }
        // A child that was begun just now has a copy of it until its own program runs.
        _ = flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// The path of a file that only its owner may read, made empty when it is missing.
    ///
    /// SQLite gives `-wal` and `-shm` the mode of the file they belong to.
    /// - Throws: `.cannotOpen` with the system's reason.
    func file(_ name: String) throws(StoreError) -> String {
        let file = path + "/" + name
        let opened = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw Self.failure(file) }
        defer { Glibc.close(opened) }
        // The name must be durable before anything in the file is promised to be.
        guard fchmod(opened, 0o600) == 0, fsync(opened) == 0, fsync(descriptor) == 0 else {
            throw Self.failure(file)
        }
        for suffix in ["-wal", "-shm"] where unsafe access(file + suffix, F_OK) == 0 {
            guard unsafe chmod(file + suffix, 0o600) == 0 else { throw Self.failure(file + suffix) }
        }
        return file
    }

    /// The path of a file that is there, readable by its owner only from now on.
    ///
    /// - Throws: `.cannotOpen` with the system's reason.
    func existing(_ name: String) throws(StoreError) -> String {
        let file = path + "/" + name
        let opened = unsafe open(file, O_RDWR | O_CLOEXEC)
        guard opened >= 0 else { throw Self.failure(file) }
        defer { Glibc.close(opened) }
        guard fchmod(opened, 0o600) == 0 else { throw Self.failure(file) }
        return file
    }

    /// Names of the files in it.
    func names() throws(StoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .cannotOpen(path: path, reason: error.localizedDescription)
        }
    }

    /// The store files of a folder, the log first.
    static func storeFiles(in folder: String) throws(StoreError) -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".sqlite") }
            // "log-…" sorts before "registrations" and "state".
            return names.sorted()
        } catch {
            throw .cannotOpen(path: folder, reason: error.localizedDescription)
        }
    }

    /// Whether a file is there.
    func has(_ name: String) -> Bool { unsafe access(path + "/" + name, F_OK) == 0 }

    /// Removes a store file and what SQLite keeps beside it; a failure leaves it to the next start.
    func remove(_ name: String) {
        for suffix in ["-wal", "-shm", "-journal", ""] {
            _ = unsafe unlink(path + "/" + name + suffix)
        }
        _ = fsync(descriptor)
    }

    /// Gives something in the folder another name, durably.
    func rename(_ name: String, to other: String) throws(StoreError) {
        guard unsafe Glibc.rename(path + "/" + name, path + "/" + other) == 0,
            fsync(descriptor) == 0
        else { throw Self.failure(path + "/" + other) }
    }

    /// Makes a folder and those above it, durably.
    private static func make(_ folder: Substring) throws(StoreError) {
        if unsafe mkdir(String(folder), 0o700) == 0 { return try sync(above: folder) }
        if errno == EEXIST { return }
        guard errno == ENOENT, let end = folder.lastIndex(of: "/"), end != folder.startIndex else {
            throw failure(String(folder))
        }
        try make(folder[..<end])
        if unsafe mkdir(String(folder), 0o700) != 0 { throw failure(String(folder)) }
        try sync(above: folder)
    }

    /// Makes the name of a new folder durable.
    private static func sync(above folder: Substring) throws(StoreError) {
        let end = folder.lastIndex(of: "/")
        let above = end.map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
        let opened = unsafe open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw failure(above) }
        defer { Glibc.close(opened) }
        guard fsync(opened) == 0 else { throw failure(above) }
    }

    private static func failure(_ path: String) -> StoreError {
        let code = errno
        // strerror returns a static or thread-local string that is copied here at once.
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return .cannotOpen(path: path, reason: reason)
    }
}
