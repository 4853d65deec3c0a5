import CFaultyDisk
import Foundation
import GRDB
@testable import HubMemory
import HubModel
@testable import HubStore
import HubTestSupport
import HubVocabulary
import Testing

/// A moment at which the power fails, and what the disk then keeps.
struct Crash: CustomStringConvertible {
    var point: UInt64
    var seed: UInt64
    var survival: power_loss_survival

    var description: String { "crash at \(point), seed \(seed), survival \(survival.rawValue)" }
}

/// A store at work on a recorded disk, with a journal outside it of what was acknowledged when.
///
/// A model goes the same way afterwards. Around each crash point its three parts, one for each file,
/// are noted as digests. After a crash each part must be in the state after the last step that was
/// acknowledged, or after the step that was under way.
final class StoreRun {
    /// What was found after a crash.
    struct Verdict {
        var faults: [String] = []
        /// Whether the crash came within a step.
        var isInFlight = false
    }

    /// The store's folder.
    let path: String
    private let folder: String
    /// Operations of the disk when the store was made, and when each step was acknowledged.
    private var ends: [UInt64] = []
    private var actions: [StoreScript.Action] = []
    /// What the model holds around crash points, by the number of steps before.
    private var parts: [Int: StoreParts] = [:]
    private var limits = StoreLimits()
    private let operations: UInt64
    /// How often pages went from a write-ahead log into their file.
    private(set) var checkpoints = 0

    /// Runs the script of a seed; without sync, nothing that the store does reaches the disk for
    /// certain.
    ///
    /// With slices of a few records, which are sealed between the steps, if `isSliced`.
    init(seed: UInt64, isSynced: Bool, isSliced: Bool = false, steps: Int = 160) throws {
        let name = "belfry-power-\(UUID().uuidString)"
        let memory = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : nil
        folder = (memory ?? FileManager.default.temporaryDirectory.path) + "/" + name
        path = folder + "/hub"
        var script = StoreScript(seed: seed)
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // The path lives as long as the call.
        try #require(unsafe power_loss_begin(path) == 0)
        defer { power_loss_stop() }
        if isSliced {
            limits.sliceRecordsMax = 12
            limits.rowsPerStep = 9
        }
        var store = try Self.open(path, isSynced, limits)
        ends.append(power_loss_count())
        for step in 0..<steps {
            if step % 40 == 39 {
                checkpoints += Self.checkpoints(of: path)
                store.close()
                store = try Self.open(path, isSynced, limits)
            }
            let action = script.next(head: store.bounds.head)
            try action.perform(on: store)
            ends.append(power_loss_count())
            actions.append(action)
            // At the beginning of time nothing expires: slices are sealed, nothing changes.
            for _ in 0..<(isSliced ? 3 : 0) { _ = try store.tidy(now: .at(0), keptSeconds: 0) }
        }
        checkpoints += Self.checkpoints(of: path)
        store.close()
        power_loss_stop()
        operations = power_loss_count()
    }

    deinit {
        power_loss_forget()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The real store, with write-ahead logs so short that they are copied back often.
    private static func open(
        _ path: String,
        _ isSynced: Bool,
        _ limits: StoreLimits
    ) throws -> SQLiteStore {
        let store = try SQLiteStore(folder: path, epochSeed: 7, limits: limits)
        let log = try #require(store.copy.log.present).file
        for file in [store.copy.registrations.file, log, store.state.file] {
            try file.accessing { database in
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 12")
                if !isSynced { try database.execute(sql: "PRAGMA synchronous = OFF") }
            }
        }
        return store
    }

    /// The number in the headers of the write-ahead logs that counts their beginnings.
    private static func checkpoints(of path: String) -> Int {
        let names = [RegistrationFile.name, SliceFile.name(1), StateFile.name]
        return names.reduce(0) { sum, name in
            let header = FileManager.default.contents(atPath: "\(path)/\(name)-wal")?.prefix(16)
            guard let header, header.count == 16 else { return sum }
            return sum + header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        }
    }

    /// Files of the log.
    var slices: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.count { SliceFile.number(of: $0) != nil }
    }

    /// What was done, in words.
    var summary: String {
        "\(actions.count) steps, \(operations) operations of the disk, \(checkpoints) checkpoints"
    }

    /// Points by lot, half of them next to a sync, for `judge`.
    func crashPoints(_ count: Int, _ random: inout SeededGenerator) throws -> [UInt64] {
        let syncs = (0..<operations).filter { power_loss_is_sync($0) != 0 }
        let points = (0..<count).map { number -> UInt64 in
            guard number.isMultiple(of: 2), let sync = syncs.randomElement(using: &random) else {
                return .random(in: 0...operations, using: &random)
            }
            return sync + .random(in: 0...1, using: &random)
        }
        try note(around: points)
        return points
    }

    /// Lets the model go the store's way, and notes what it holds around each of the points.
    private func note(around points: [UInt64]) throws {
        let needed = Set(points.map(steps(before:)).flatMap { [$0.done ?? 0, $0.next] })
        let model = MemoryStore(disk: MemoryDisk(), newEpoch: 7)
        for step in 0...actions.count {
            if step > 0 { try actions[step - 1].perform(on: model) }
            if needed.contains(step) { parts[step] = try StoreParts(of: model) }
        }
    }

    /// How many steps were acknowledged before a point, nil where the store was not made yet, and how
    /// many were with the one that was under way.
    private func steps(before point: UInt64) -> (done: Int?, next: Int) {
        let done = ends.lastIndex { $0 <= point }
        return (done, min((done ?? -1) + 1, actions.count))
    }

    /// The folder as a crash leaves it; for the caller to remove.
    func image(_ crash: Crash) throws -> String {
        let copy = "\(folder)/image-\(UUID().uuidString)"
        let survival = Int32(crash.survival.rawValue)
        // The path lives as long as the call.
        let result = unsafe power_loss_image(crash.point, crash.seed, survival, copy)
        try #require(result == 0, "no image in \(copy)")
        return copy
    }

    /// Opens what a crash leaves with the real store, and compares it with what was acknowledged.
    func judge(_ crash: Crash) throws -> Verdict {
        let copy = try image(crash)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let (done, next) = steps(before: crash.point)
        var verdict = Verdict()
        verdict.isInFlight = done.map { ends[$0] < crash.point && $0 < next } ?? true
        do {
            let store = try SQLiteStore(folder: copy, epochSeed: 99, limits: limits)
            defer { store.close() }
            guard let done else { return verdict }
            let found = try StoreParts(of: store)
            verdict.faults = found.faults(
                after: try #require(parts[done]),
                or: try #require(parts[next])
            )
            if store.events != [] { verdict.faults.append("\(store.events)") }
            // It goes on: slices are sealed, the next numbers are free.
            while try store.tidy(now: .at(0), keptSeconds: 0).hasMore {}
            let more = Sample.records(store.bounds.head + 1...store.bounds.head + 2, salt: 9)
            if let refused = store.commit(changes: [], records: more).records {
                verdict.faults.append("takes nothing more: \(refused)")
            }
            let sound = try StoreVerification.of(copy) { _ in }
            verdict.faults += sound.faults
        } catch {
            verdict.faults.append("cannot be opened or read: \(error)")
        }
        return verdict
    }
}

/// What a store holds, file by file.
struct StoreParts: Equatable {
    private var log: Int
    private var registrations: Int
    private var state: Int
    private var head: UInt64

    init(of store: any HubStorage) throws {
        let all = try Contents(of: store)
        head = all.bounds.head
        var log = Hasher()
        log.combine(all.bounds.head)
        log.combine(all.bounds.first)
        log.combine(all.records)
        log.combine(all.checks)
        // Those of schedules are in the other file.
        let ofSchedules = { (key: StoredKey) in key.key.scope.high > StoreScript.scheduleKeys }
        log.combine(all.keys.filter { !ofSchedules($0) })
        self.log = log.finalize()
        var registrations = Hasher()
        registrations.combine(all.numberMax)
        registrations.combine(all.registrations)
        registrations.combine(all.deleted)
        registrations.combine(all.installations.map { String(describing: $0) })
        registrations.combine(all.schedules.map { $0.dropLast() })
        registrations.combine(all.revocations)
        registrations.combine(all.keys.filter(ofSchedules))
        self.registrations = registrations.finalize()
        var state = Hasher()
        state.combine(all.cursors.sorted { $0.device.low < $1.device.low })
        state.combine(all.counters)
        state.combine(all.checkpoint)
        state.combine(all.lanes)
        state.combine(all.relayFailures)
        self.state = state.finalize()
    }

    /// In which parts this is neither the one state nor the other.
    func faults(after done: StoreParts, or next: StoreParts) -> [String] {
        var faults: [String] = []
        if log != done.log, log != next.log {
            faults.append("log: head \(head), acknowledged \(done.head), begun \(next.head)")
        }
        if registrations != done.registrations, registrations != next.registrations {
            faults.append("registrations, schedules or keys are not those that were acknowledged")
        }
        if state != done.state, state != next.state {
            faults.append("cursors, counters or lanes are not those that were acknowledged")
        }
        return faults
    }
}
