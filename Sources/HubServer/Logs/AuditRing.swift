import Foundation
import HubData
import HubREST
import SystemPackage

/// The lines of one hub, or of the namespace, in files; the newest files stay.
///
/// `N.jsonl` begins with entry N or a later one.
struct AuditRing {
    private let folder: String
    private let limits: AuditLimits.Ring
    /// The first entry of each file, ascending.
    private(set) var files: [UInt64]
    /// The newest entry that was read or written; 0 when there is none.
    private(set) var last: UInt64

    /// Goes on behind the lines of a folder, which is made when missing.
    init(folder: String, limits: AuditLimits.Ring) throws {
        self.folder = folder
        self.limits = limits
        try DataFolder.makeFolder(folder)
        files = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            name.hasSuffix(".jsonl") ? UInt64(name.dropLast(6)) : nil
        }.sorted()
        last = files.last.map { $0 - 1 } ?? 0
        if let newest = files.last {
            last = try entries(fromFile: newest).last.map(\.number) ?? newest
        }
    }

    /// Appends a line for an entry that is newer than all others, and waits for the disk.
    mutating func append(_ line: [UInt8], number: UInt64) throws {
        let first = file(for: number)
        let file = try FileDescriptor.open(
            FilePath(path(first)),
            .writeOnly,
            options: [.create, .append, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        )
        try file.closeAfter {
            try file.writeAll(line)
            guard fdatasync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
        last = number
        guard first == number else { return }
        try DataFolder.sync(folder)
        files.append(first)
        while files.count > limits.files {
            // One that an operator has removed is gone already.
            try? FileManager.default.removeItem(atPath: path(files.removeFirst()))
        }
    }

    /// The entries of a file, ascending; a torn line is none, and a file that an operator has
    /// removed has none.
    func entries(fromFile first: UInt64) throws -> [AuditEntry] {
        guard FileManager.default.fileExists(atPath: path(first)) else { return [] }
        let data = try Data(contentsOf: URL(fileURLWithPath: path(first)))
        return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // As said above.
            try? JSONDecoder().decode(AuditEntry.self, from: Data(line))
        }
    }

    /// The file of an entry: the last one, or a new one behind a full one or one that is gone.
    private func file(for number: UInt64) -> UInt64 {
        guard let last = files.last else { return number }
        // A file without facts is gone, as said above.
        let facts = try? FileManager.default.attributesOfItem(atPath: path(last))
        guard let facts else { return number }
        let bytes = (facts[.size] as? NSNumber)?.intValue ?? 0
        return bytes < limits.fileBytes ? last : number
    }

    private func path(_ first: UInt64) -> String { "\(folder)/\(first).jsonl" }
}
