import Glibc

/// A file that is this process's as long as the value lives.
///
/// The lock is on another file beside it, with `.lock` at the end of its name, which goes with the
/// value: each commit puts another file in the place of the one that is meant.
package final class DeviceLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Takes the lock.
    /// - Throws: `.inUse`, `.system`.
    package init(_ file: String) throws(DeviceStoreError) {
        path = file + ".lock"
        while true {
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
            // The path is borrowed for the call.
            let opened = unsafe open(path, flags, 0o600)
            guard opened >= 0 else {
                throw .system(operation: "create", path: path, code: errno)
            }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(opened)
                guard code == EWOULDBLOCK else {
                    throw .system(operation: "lock", path: path, code: code)
                }
                throw .inUse(path: file)
            }
            var status = stat()
            // The status lives for the call.
            if unsafe fstat(opened, &status) == 0, status.st_nlink > 0 {
                descriptor = opened
                return
            }
            // The former holder has just let go of it and removed it.
            close(opened)
        }
    }

    deinit {
        // Before the lock is let go, so that no process takes one that is gone; the path is
        // borrowed.
        _ = unsafe unlink(path)
        close(descriptor)
    }
}
