import Crypto
import Foundation
import HubData
import HubREST
import HubVocabulary
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
    /// The digest of its line; nil when there is none.
    private var digest: String?
    /// When it was made; nil when there is none.
    private var lastTime: Timestamp?

    /// Goes on behind the lines of a folder, which is made when missing.
    init(folder: String, limits: AuditLimits.Ring) throws {
        try DataFolder.makeFolder(folder)
        try self.init(reading: folder, limits: limits)
    }

    /// The same of a folder that is there.
    init(reading folder: String, limits: AuditLimits.Ring) throws {
        self.folder = folder
        self.limits = limits
        files = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            name.hasSuffix(".jsonl") ? UInt64(name.dropLast(6)) : nil
        }.sorted()
        last = files.last.map { $0 - 1 } ?? 0
        guard let newest = files.last else { return }
        let line = try lines(ofFile: newest).last
        last = line?.entry.number ?? newest
        digest = line?.digest
        lastTime = line?.entry.moment
    }

    /// Whether its newest entry was made so many days before another one; never of an unknown time.
    func isOlder(than days: UInt64, at entry: AuditEntry) -> Bool {
        guard let lastTime, let now = entry.moment else { return false }
        return lastTime.adding(seconds: days * 86_400) < now
    }

    /// Whether a time begins behind its newest entry; never of an unknown time.
    func isOlder(than span: TimeSpan) -> Bool { lastTime.map(span.begins(after:)) ?? false }

    /// Appends a line for an entry that is newer than all others, and waits for the disk.
    mutating func append(_ given: AuditEntry) throws {
        var entry = given
        entry.previous = digest
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = Array(try encoder.encode(entry))
        // A line that a power cut has torn must not swallow this one.
        let line = [UInt8(ascii: "\n")] + text
        let number = entry.number
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
        (last, digest, lastTime) = (number, Self.digest(text), entry.moment)
        guard first == number else { return }
        try DataFolder.sync(folder)
        files.append(first)
        while files.count > limits.files {
            // One that an operator has removed is gone already.
            try? FileManager.default.removeItem(atPath: path(files.removeFirst()))
        }
    }

    /// A line that was read, with the digest that the next one has.
    struct Line {
        var entry: AuditEntry
        var digest: String
    }

    /// The lines of a file, ascending; a torn one is none, and a file that an operator has removed
    /// has none.
    func lines(ofFile first: UInt64) throws -> [Line] {
        guard FileManager.default.fileExists(atPath: path(first)) else { return [] }
        let data = try Data(contentsOf: URL(fileURLWithPath: path(first)))
        return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // As said above.
            let entry = try? JSONDecoder().decode(AuditEntry.self, from: Data(line))
            return entry.map { Line(entry: $0, digest: Self.digest(Array(line))) }
        }
    }

    /// The first line that does not fit the one before; nil when all do.
    ///
    /// The oldest one may follow a line that is gone, and a first line names none.
    func firstBroken() throws -> UInt64? {
        var before: String?
        for file in files {
            for line in try lines(ofFile: file) {
                if let before, let told = line.entry.previous, told != before {
                    return line.entry.number
                }
                before = line.digest
            }
        }
        return nil
    }

    private static func digest(_ line: [UInt8]) -> String {
        HexText.lowercase(SHA256.hash(data: line).prefix(digestBytes))
    }

    /// Bytes of a digest: enough to notice a change, and short in a line.
    private static let digestBytes = 16

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
