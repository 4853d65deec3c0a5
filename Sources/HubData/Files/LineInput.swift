import Foundation

/// The lines of a file or of standard input, numbered from 1, as they come.
package struct LineInput {
    /// One line that is not blank.
    package struct Line {
        /// Its place, from 1.
        package var number: Int
        /// Its bytes without the line feed; nil when it is too long.
        package var bytes: [UInt8]?
    }

    /// Why a file cannot be read, or not any further.
    package struct Unreadable: Error, CustomStringConvertible {
        /// A sentence that names the file.
        package let description: String
    }

    /// Bytes that are read at once.
    private static let readBytes = 1 << 18
    /// The mark that some editors put in front of UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether it has an end that is there already.
    package let isFile: Bool
    private let bytesMax: Int
    private let handle: FileHandle
    /// Read and not given out yet; the first `taken` of them are.
    private var ready: [Line] = []
    private var taken = 0
    /// The beginning of a line that goes on.
    private var rest: [UInt8] = []
    /// The line that goes on is too long: its bytes are dropped.
    private var isTooLong = false
    private var number = 0
    private var isAtEnd = false

    /// Opens a file; `-` is standard input.
    ///
    /// A line of more bytes than `bytesMax` is told without them.
    package init(path: String, bytesMax: Int) throws(Unreadable) {
        self.bytesMax = bytesMax
        if path == "-" {
            handle = .standardInput
        } else if let file = FileHandle(forReadingAtPath: path) {
            handle = file
        } else {
            throw Unreadable(description: "cannot read \(path)")
        }
        // Only what can be sought has an end that is there.
        isFile = (try? handle.offset()) != nil
        var isFolder: ObjCBool = false
        // The call fills what it is given.
        _ = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else {
            throw Unreadable(description: "\(path) is a folder, no file of lines")
        }
    }

    /// The next line; nil at the end, and without `waits` when none is there yet.
    package mutating func next(waits: Bool) throws(Unreadable) -> Line? {
        while true {
            if let line = nextRead() { return line }
            guard !isAtEnd, waits || isReadable else { return nil }
            try read()
        }
    }

    /// The next line of those that have been read.
    package mutating func nextRead() -> Line? {
        guard taken < ready.count else { return nil }
        taken += 1
        return ready[taken - 1]
    }

    /// Whether a read would not wait.
    private var isReadable: Bool {
        var asked = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        // The call reads and fills the one that it is given.
        return unsafe poll(&asked, 1, 0) > 0
    }

    private mutating func read() throws(Unreadable) {
        ready.removeAll(keepingCapacity: true)
        taken = 0
        let piece = try Self.read(handle.fileDescriptor)
        isAtEnd = piece.isEmpty
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            append(piece[start..<end])
            endLine()
            start = end + 1
        }
        append(piece[start...])
        if isAtEnd { endLine() }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        if isTooLong || rest.count + bytes.count > bytesMax + Self.byteOrderMark.count {
            isTooLong = true
            rest = []
        } else {
            rest += bytes
        }
    }

    private mutating func endLine() {
        number += 1
        if number == 1, rest.starts(with: Self.byteOrderMark) { rest.removeFirst(3) }
        if isTooLong || rest.count > bytesMax {
            ready.append(Line(number: number, bytes: nil))
        } else if rest.contains(where: { $0 > 0x20 }) {
            ready.append(Line(number: number, bytes: rest))
        }
        rest.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    /// Returns the bytes that can be read, waiting for the first one; empty at the end.
    private static func read(_ descriptor: Int32) throws(Unreadable) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: readBytes)
        while true {
            // The call writes at most what the array holds.
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Foundation.read(descriptor, bytes.baseAddress, bytes.count)
            }
            if count >= 0 { return Array(buffer[..<count]) }
            guard errno == EINTR else {
                // The text is copied at once.
                let words = unsafe String(cString: strerror(errno))
                throw Unreadable(description: "cannot read any further: \(words)")
            }
        }
    }
}
