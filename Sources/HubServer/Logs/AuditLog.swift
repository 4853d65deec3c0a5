import Foundation
package import HubData
import HubHistory
import HubModel
import HubREST
import HubVocabulary
import Synchronization

/// The changes of administrators: a line for each, on stable storage before its answer goes out.
///
/// Numbers go through all lines. Those of each hub lie in `audit/hubs/NAME` of the data folder,
/// those of too many hubs in `audit/others`, all others in `audit`. New hubs push out nothing: only
/// the files of a hub without a change for long give way. Disks are waited for on a queue of its own.
package final class AuditLog: Sendable {
    private struct State {
        var next: UInt64
        var namespace: AuditRing
        var hubs: [String: AuditRing]
        /// Of hubs that have no ring of their own.
        var others: AuditRing

        var rings: [AuditRing] { [namespace, others] + Array(hubs.values) }
    }

    private let folder: String
    private let limits: AuditLimits
    private let queue = DispatchQueue(label: "audit")
    private let state: Mutex<State>

    /// Goes on behind the lines of a data folder.
    init(data: String, limits: AuditLimits = AuditLimits()) throws(ServerError) {
        let folder = data + "/audit"
        self.folder = folder
        self.limits = limits
        do {
            let namespace = try AuditRing(folder: folder, limits: limits.namespace)
            try DataFolder.makeFolder(folder + "/hubs")
            var hubs: [String: AuditRing] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/hubs") {
                hubs[name] = try AuditRing(folder: "\(folder)/hubs/\(name)", limits: limits.hub)
            }
            let others = try AuditRing(folder: folder + "/others", limits: limits.others)
            var begun = State(next: 1, namespace: namespace, hubs: hubs, others: others)
            begun.next += begun.rings.map(\.last).reduce(0, max)
            state = Mutex(begun)
        } catch let error as ServerError {
            throw error
        } catch {
            throw .folder(path: folder, reason: "\(error)")
        }
    }

    /// Appends the entry that `make` makes for its number, and waits for the disk.
    func append(_ make: @escaping @Sendable (UInt64) -> AuditEntry?) async throws {
        try await onQueue { [self] in
            try state.withLock { state in
                guard let entry = make(state.next) else { return }
                if let hub = entry.hub {
                    try append(entry, of: hub, to: &state)
                } else {
                    try state.namespace.append(entry)
                }
                state.next += 1
            }
        }
    }

    private func append(_ entry: AuditEntry, of hub: String, to state: inout State) throws {
        // Names of hubs compare without case.
        let name = hub.lowercased()
        if state.hubs[name] == nil, state.hubs.count >= limits.hubs {
            guard let oldest = state.hubs.min(by: { $0.value.last < $1.value.last }),
                oldest.value.isOlder(than: limits.keptDays, at: entry)
            else { return try state.others.append(entry) }
            state.hubs[oldest.key] = nil
            try FileManager.default.removeItem(atPath: "\(folder)/hubs/\(oldest.key)")
        }
        let path = "\(folder)/hubs/\(name)"
        var ring = try state.hubs[name] ?? AuditRing(folder: path, limits: limits.hub)
        try ring.append(entry)
        state.hubs[name] = ring
    }

    /// Returns entries of a time below a number, the newest first and at most `limit`.
    ///
    /// Reads a file only when it may have one of them, and of a time a few files, or one of each
    /// ring. A file whose entries all lie before the time is the last one of its ring.
    func page(
        before: UInt64?,
        limit: Int,
        within span: TimeSpan = TimeSpan()
    ) async throws -> ListPage<AuditEntry, UInt64> {
        try await onQueue { [self] in
            let (rings, end) = state.withLock { state in
                (
                    state.rings.filter { !$0.isOlder(than: span) },
                    min(before ?? state.next, state.next)
                )
            }
            var search = RingSearch<AuditEntry>(
                rings.map { RingSearch<AuditEntry>.Ring(files: $0.files, last: $0.last) },
                below: end,
                limit: limit,
                files: span.isOpen ? .max : limits.filesOfPage,
                number: \.number
            )
            while let file = search.file {
                let entries = try rings[file.ring].lines(ofFile: file.first).map(\.entry)
                let isOver = entries.allSatisfy { $0.moment.map(span.begins(after:)) ?? false }
                search.take(
                    entries.filter { $0.isWithin(span) },
                    goesOn: entries.isEmpty || !isOver
                )
            }
            return search.page
        }
    }

    /// The first line of a data folder that does not fit the one before; nil when all do.
    package static func firstBroken(data: String) throws(ServerError) -> UInt64? {
        let (folder, limits) = (data + "/audit", AuditLimits())
        func names(_ path: String) -> [String] {
            // A folder without changes has none of them.
            (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        }
        let own = [folder, folder + "/others"].filter { !names($0).isEmpty }
        let hubs = names(folder + "/hubs").map { "\(folder)/hubs/\($0)" }
        do {
            return try (own + hubs).compactMap { path in
                try AuditRing(reading: path, limits: limits.hub).firstBroken()
            }.min()
        } catch {
            throw .folder(path: folder, reason: "\(error)")
        }
    }

    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
