import Foundation
import HubData
import HubModel
import HubREST
import HubVocabulary
import Synchronization
import SystemPackage

/// The changes of administrators: a line for each, on stable storage before its answer goes out.
///
/// `audit/N.jsonl` in the data folder begins with entry N. Disks are waited for on a queue of its
/// own.
final class AuditLog: Sendable {
    private struct State {
        var next: UInt64
        /// The first entry of each file, ascending.
        var files: [UInt64]
    }

    private let folder: String
    private let fileBytesMax: Int
    private let queue = DispatchQueue(label: "audit")
    private let state: Mutex<State>

    /// Bytes from which on a new file begins; a page reads one file.
    static let fileBytesMax = 4_194_304
    /// Files that are kept, the newest.
    static let filesMax = 64

    /// Goes on behind the lines of a data folder.
    init(data: String, fileBytesMax: Int = AuditLog.fileBytesMax) throws(ServerError) {
        let folder = data + "/audit"
        self.folder = folder
        self.fileBytesMax = fileBytesMax
        try DataFolder.makeFolder(folder)
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let files = names.compactMap { name in
                name.hasSuffix(".jsonl") ? UInt64(name.dropLast(6)) : nil
            }.sorted()
            var next: UInt64 = 1
            if let last = files.last {
                next = try Self.entries(folder, last).last.map { $0.number + 1 } ?? last
            }
            state = Mutex(State(next: next, files: files))
        } catch {
            throw .folder(path: folder, reason: "\(error)")
        }
    }

    /// Appends the entry that `make` makes for its number, and waits for the disk.
    func append(_ make: @escaping @Sendable (UInt64) -> AuditEntry?) async throws {
        try await onQueue { [self] in
            try state.withLock { state in
                guard let entry = make(state.next) else { return }
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                // A line that a power cut has torn must not swallow this one.
                let line = Array("\n".utf8) + Array(try encoder.encode(entry))
                let first = file(for: state.next, state)
                let file = try FileDescriptor.open(
                    FilePath(Self.path(folder, first)),
                    .writeOnly,
                    options: [.create, .append, .noFollow, .closeOnExec],
                    permissions: .ownerReadWrite
                )
                try file.closeAfter {
                    try file.writeAll(line)
                    guard fdatasync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
                }
                if first == state.next {
                    try DataFolder.sync(folder)
                    keep(first, &state)
                }
                state.next += 1
            }
        }
    }

    /// Returns entries below a number, the newest first: those of one file, and at most `limit`.
    func page(before: UInt64?, limit: Int) async throws -> ListPage<AuditEntry, UInt64> {
        try await onQueue { [self] in
            let (end, files) = state.withLock { state in
                (min(before ?? state.next, state.next), state.files)
            }
            guard let first = files.last(where: { $0 < end }) else {
                return ListPage([], next: nil)
            }
            let below = try Self.entries(folder, first).filter { $0.number < end }
            let page = Array(below.suffix(max(1, limit)).reversed())
            let last = page.last?.number ?? first
            return ListPage(page, next: last > (files.first ?? last) ? last : nil)
        }
    }

    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// The file of the next entry: the last one, or a new one behind a full one.
    private func file(for next: UInt64, _ state: State) -> UInt64 {
        guard let last = state.files.last else { return next }
        // A file that an operator has removed begins anew.
        let facts = try? FileManager.default.attributesOfItem(atPath: Self.path(folder, last))
        let bytes = (facts?[.size] as? NSNumber)?.intValue ?? 0
        return bytes < fileBytesMax ? last : next
    }

    /// A file that has been begun counts from here on, and the oldest one goes.
    private func keep(_ first: UInt64, _ state: inout State) {
        if state.files.last != first { state.files.append(first) }
        while state.files.count > Self.filesMax {
            let oldest = Self.path(folder, state.files.removeFirst())
            // One that an operator has removed is gone already.
            try? FileManager.default.removeItem(atPath: oldest)
        }
    }

    private static func path(_ folder: String, _ first: UInt64) -> String {
        "\(folder)/\(first).jsonl"
    }

    /// The entries of a file; a torn line is none, and a file that an operator has removed has none.
    private static func entries(_ folder: String, _ first: UInt64) throws -> [AuditEntry] {
        guard FileManager.default.fileExists(atPath: path(folder, first)) else { return [] }
        let data = try Data(contentsOf: URL(fileURLWithPath: path(folder, first)))
        return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // As said above.
            try? JSONDecoder().decode(AuditEntry.self, from: Data(line))
        }
    }
}
