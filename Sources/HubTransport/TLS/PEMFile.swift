import Glibc

/// PEM text that was read from a file, with the file's name for messages.
package struct PEMFile: Sendable, Equatable {
    /// Where it was read.
    package let path: String
    /// Its content when it was read.
    package let bytes: [UInt8]

    /// PEM text that is in memory already; `path` only names it in errors.
    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Reads a file of at most 1 MiB.
    /// - Throws: `.fileMissing`, `.fileUnreadable`, `.fileTooLarge`.
    package init(reading path: String) throws(TransportError) {
        // The path is borrowed for the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            throw code == ENOENT ? .fileMissing(path) : .fileUnreadable(path, code: code)
        }
        defer { close(descriptor) }
        let limit = 1_048_576
        var text = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < text.count {
            // The call writes at most what is left behind `count`.
            let more = unsafe text.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if more < 0, errno == EINTR { continue }
            if more < 0 { throw .fileUnreadable(path, code: errno) }
            if more == 0 { break }
            count += more
        }
        guard count <= limit else { throw .fileTooLarge(path) }
        self.init(path: path, bytes: Array(text.prefix(count)))
    }
}
