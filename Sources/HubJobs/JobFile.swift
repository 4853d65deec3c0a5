import Foundation
import SystemPackage

/// A file of results that grows up to a limit.
struct JobFile: ~Copyable {
    private let file: FileDescriptor
    private var waiting: [UInt8] = []
    private let bytesMax: UInt64
    /// How long it is.
    private(set) var bytes: UInt64 = 0

    private static let blockBytes = 65_536

    init(_ file: FileDescriptor, bytesMax: UInt64) {
        self.file = file
        self.bytesMax = bytesMax
    }

    /// `finish` has synced the content; no caller is left to hear that closing failed.
    deinit { try? file.close() }

    /// Appends a line; the line end is added.
    mutating func append(_ line: [UInt8]) throws(JobFailure) {
        let whole = bytes + UInt64(line.count) + 1
        guard whole <= bytesMax else {
            throw .failed("The results have more than \(bytesMax) bytes.")
        }
        bytes = whole
        waiting += line
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.blockBytes { try flush() }
    }

    /// Makes everything durable.
    mutating func finish() throws(JobFailure) {
        try flush()
        guard fsync(file.rawValue) == 0 else {
            throw .failed("The results cannot be written: \(Errno(rawValue: errno)).")
        }
    }

    /// The written content, part by part.
    var parts: FileParts { FileParts(file: file) }

    /// A part of the file; empty behind its end.
    func read(at place: UInt64) throws -> [UInt8] { try Self.read(file, at: Int64(place)) }

    /// A part of a file; empty behind its end.
    static func read(_ file: FileDescriptor, at place: Int64) throws -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        // The buffer belongs to `block`, which outlives the call.
        let count = try unsafe block.withUnsafeMutableBytes { buffer in
            try unsafe file.read(fromAbsoluteOffset: place, into: buffer)
        }
        return Array(block.prefix(count))
    }

    private mutating func flush() throws(JobFailure) {
        guard !waiting.isEmpty else { return }
        do {
            try file.writeAll(waiting)
            waiting.removeAll(keepingCapacity: true)
        } catch { throw .failed("The results cannot be written: \(error).") }
    }
}
