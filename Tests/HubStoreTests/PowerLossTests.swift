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
    func synced() async throws {
        let outcomes = try await Self.recording.alone {
            try look("synced", 0, isSynced: true)
        }
        #expect(outcomes.inFlight > 0, "no crash came within a step")
        #expect(outcomes.checkpoints > 3, "the write-ahead log was not copied back")
    }

    @Test("keeps it too while slices of its log are begun and sealed")
    func sliced() async throws {
        let outcomes = try await Self.recording.alone {
            try look("sliced", 2, isSynced: true, isSliced: true)
        }
        #expect(outcomes.slices > 5, "\(outcomes.slices) slices")
    }

    @Test("loses what it had acknowledged when nothing is synced: the rig would notice")
    func unsynced() async throws {
        let outcomes = try await Self.recording.alone {
            try look("not synced", 1, isSynced: false, survivals: [POWER_LOSS_NOTHING])
        }
        #expect(outcomes.failed > 0, "seed \(Self.seed): \(outcomes.summary)")
    }

    @Test("refuses files that a disk has torn, and never ends the process for them")
    func torn() async throws {
        let outcomes = try await Self.recording.alone {
            try look("torn", 3, isSynced: false, survivals: [POWER_LOSS_SOMETHING])
        }
        #expect(outcomes.failed > 0, "seed \(Self.seed): \(outcomes.summary)")
    }

    /// Records a run and judges what is left of it at crash points; one that was synced keeps all.
    private func look(
        _ name: String,
        _ number: UInt64,
        isSynced: Bool,
        isSliced: Bool = false,
        survivals: [power_loss_survival] = [POWER_LOSS_NOTHING]
            + Array(repeating: POWER_LOSS_SOMETHING, count: 3)
    ) throws -> Outcomes {
        var random = SeededGenerator(seed: Self.seed &+ number)
        let run = try StoreRun(seed: random.next(), isSynced: isSynced, isSliced: isSliced)
        try expectWhole(run)
        var outcomes = Outcomes(checkpoints: run.checkpoints, slices: run.slices)
        for point in try run.crashPoints(isSynced ? Self.points : Self.points / 2, &random) {
            let survival = survivals[outcomes.looked % survivals.count]
            let crash = Crash(point: point, seed: random.next(), survival: survival)
            let found = try run.judge(crash)
            outcomes.add(found)
            if isSynced { #expect(found.faults == [], "seed \(Self.seed), \(crash)") }
        }
        print("power loss, \(name), seed \(Self.seed): \(run.summary), \(outcomes.summary)")
        return outcomes
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
        let checkpoints: Int
        let slices: Int
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
