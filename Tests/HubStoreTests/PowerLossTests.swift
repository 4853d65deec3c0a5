import CFaultyDisk
import Foundation
import GRDB
@testable import HubStore
import HubTestSupport
import Testing

/// Looks at more crash points when `POINTS=1000 make crash` asks for them.
@Suite("A store whose machine loses power", .timeLimit(.minutes(30)))
struct PowerLossTests {
    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        ProcessInfo.processInfo.environment[name].flatMap { Number($0) }
    }

    private static let points = number("POINTS") ?? 24
    private static let seed: UInt64 = number("SEED") ?? 1
    /// The process records one disk at a time.
    static let recording = Turns()

    @Test("keeps what it had acknowledged and nothing else, wherever the power fails")
    func synced() async throws { try await Self.recording.alone(lookSynced) }

    private func lookSynced() throws {
        var random = SeededGenerator(seed: Self.seed)
        let run = try StoreRun(seed: random.next(), isSynced: true)
        try expectWhole(run)
        var outcomes = Outcomes()
        for point in try run.crashPoints(Self.points, &random) {
            let survival = outcomes.looked % 4 == 0 ? POWER_LOSS_NOTHING : POWER_LOSS_SOMETHING
            let crash = Crash(point: point, seed: random.next(), survival: survival)
            let found = try run.judge(crash)
            outcomes.add(found)
            #expect(found.faults == [], "seed \(Self.seed), \(crash)")
        }
        print("power loss, synced, seed \(Self.seed): \(run.summary), \(outcomes.summary)")
        #expect(outcomes.inFlight > 0, "no crash came within a step")
        #expect(run.checkpoints > 3, "the write-ahead log was not copied back: \(run.summary)")
    }

    @Test("keeps it too while slices of its log are begun and sealed")
    func sliced() async throws { try await Self.recording.alone(lookSliced) }

    private func lookSliced() throws {
        var random = SeededGenerator(seed: Self.seed &+ 2)
        let run = try StoreRun(seed: random.next(), isSynced: true, isSliced: true)
        try expectWhole(run)
        var outcomes = Outcomes()
        for point in try run.crashPoints(Self.points, &random) {
            let survival = outcomes.looked % 4 == 0 ? POWER_LOSS_NOTHING : POWER_LOSS_SOMETHING
            let crash = Crash(point: point, seed: random.next(), survival: survival)
            let found = try run.judge(crash)
            outcomes.add(found)
            #expect(found.faults == [], "seed \(Self.seed), \(crash)")
        }
        print("power loss, sliced, seed \(Self.seed): \(run.summary), \(outcomes.summary)")
        #expect(run.slices > 5, "\(run.slices) slices")
    }

    @Test("loses what it had acknowledged when nothing is synced: the rig would notice")
    func unsynced() async throws { try await Self.recording.alone(lookUnsynced) }

    private func lookUnsynced() throws {
        var random = SeededGenerator(seed: Self.seed &+ 1)
        let run = try StoreRun(seed: random.next(), isSynced: false)
        try expectWhole(run)
        var outcomes = Outcomes()
        for point in try run.crashPoints(Self.points / 2, &random) {
            let crash = Crash(point: point, seed: random.next(), survival: POWER_LOSS_NOTHING)
            outcomes.add(try run.judge(crash))
        }
        print("power loss, not synced, seed \(Self.seed): \(run.summary), \(outcomes.summary)")
        #expect(outcomes.failed > 0, "seed \(Self.seed): \(outcomes.summary)")
    }

    @Test("refuses files that a disk has torn, and never ends the process for them")
    func torn() async throws { try await Self.recording.alone(lookTorn) }

    private func lookTorn() throws {
        var random = SeededGenerator(seed: Self.seed &+ 3)
        let run = try StoreRun(seed: random.next(), isSynced: false)
        var outcomes = Outcomes()
        for point in try run.crashPoints(Self.points / 2, &random) {
            let crash = Crash(point: point, seed: random.next(), survival: POWER_LOSS_SOMETHING)
            outcomes.add(try run.judge(crash))
        }
        print("power loss, torn, seed \(Self.seed): \(run.summary), \(outcomes.summary)")
        #expect(outcomes.failed > 0, "seed \(Self.seed): \(outcomes.summary)")
    }

    /// The recording is complete: all that was done, done again, is what lies in the folder.
    private func expectWhole(_ run: StoreRun) throws {
        let copy = try run.image(
            Crash(point: .max, seed: 0, survival: POWER_LOSS_EVERYTHING)
        )
        let manager = FileManager.default
        let names = try manager.contentsOfDirectory(atPath: run.path).sorted()
            .filter { !$0.hasSuffix("-shm") }
        #expect(try manager.contentsOfDirectory(atPath: copy).sorted() == names)
        for name in names {
            let isSame = manager.contentsEqual(
                atPath: run.path + "/" + name,
                andPath: copy + "/" + name
            )
            #expect(isSame, "\(name)")
        }
        try manager.removeItem(atPath: copy)
    }

    /// What was seen at all crash points together.
    private struct Outcomes {
        var looked = 0
        var failed = 0
        var inFlight = 0
        var firstFault: String?

        mutating func add(_ verdict: StoreRun.Verdict) {
            looked += 1
            failed += verdict.faults.isEmpty ? 0 : 1
            inFlight += verdict.isInFlight ? 1 : 0
            firstFault = firstFault ?? verdict.faults.first
        }

        var summary: String {
            "\(looked) crash points, \(inFlight) of them within a step, \(failed) with loss"
                + (firstFault.map { ", the first: \($0)" } ?? "")
        }
    }
}
