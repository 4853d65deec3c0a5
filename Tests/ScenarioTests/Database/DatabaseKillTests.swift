import Foundation
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite(
    "A hub on PostgreSQL under load",
    .enabled(if: TemporaryPostgres.isInstalled),
    .timeLimit(.minutes(Rig.minutes(cycles: Rig.cycles)))
)
struct DatabaseKillTests {
    @Test("delivers once what it answered with 201, killed with its copy and without")
    func hubKilled() async throws {
        let (seed, cycles) = (Rig.seed, max(3, Rig.cycles / 2))
        var random = SeededGenerator(seed: seed)
        let server = try TemporaryPostgres()
        let rig = try await KillRig(seed: seed, ["--database", try server.newDatabase()])
        for cycle in 0..<cycles {
            let answers = Int.random(in: 3...30, using: &random)
            _ = try await rig.cycle(answers: answers, delivers: cycle.isMultiple(of: 2)) { folder in
                if cycle % 3 == 1 { try Self.deleteCopy(in: folder) }
            }
        }
        try await judge(rig, "kill -9 of a hub on PostgreSQL, \(cycles) cycles", seed: seed)
    }

    @Test("delivers once what it answered with 201, whatever ends its database")
    func databaseEnds() async throws {
        let (seed, cycles) = (Rig.seed, max(3, Rig.cycles / 2))
        var random = SeededGenerator(seed: seed)
        let server = try TemporaryPostgres()
        let rig = try await KillRig(seed: seed, ["--database", try server.newDatabase()])
        for cycle in 0..<cycles {
            try await rig.work(answers: Int.random(in: 3...30, using: &random), delivers: true)
            if cycle.isMultiple(of: 2) {
                try server.stop(immediately: true)
            } else {
                try server.kill()
            }
            rig.rest()
            try await rig.hub.program.errors.wait(for: "news of the database") { lines in
                lines.count { $0.contains("the database is away") } > cycle
            }
            try server.start()
        }
        #expect(
            rig.hub.program.errors.events.contains { $0.contains("the database answers again") }
        )
        let caller = try RESTCaller(rig.hub.connection)
        let token = try rig.hub.folder.metricsToken()
        let numbers = try await caller.perform(.GET, "$belfry/metrics", authorization: token).text
        #expect(numbers.contains(#"event="lost""#) && numbers.contains(#"event="regained""#))
        await caller.close()
        try await judge(rig, "PostgreSQL ended under load, \(cycles) cycles", seed: seed)
    }

    private func judge(_ rig: KillRig, _ title: String, seed: UInt64) async throws {
        let journal = try await rig.finish()
        let counters = try await rig.acknowledgements(journal, sampled: 500)
        try await rig.end()
        print(
            """
            \(title), seed \(seed)
            \(journal.table)
            counters                \(counters.checked) looked at, \(counters.faults.count) wrong
            """
        )
        #expect(journal.faults == [], "seed \(seed)")
        #expect(counters.faults == [], "seed \(seed)")
        #expect(journal.accepted.count >= 9, "seed \(seed)")
    }

    /// Removes what a hub can read again in its database; its keys stay.
    static func deleteCopy(in folder: ScenarioFolder) throws {
        let hub = folder.file("hubs/hub")
        let files = try FileManager.default.contentsOfDirectory(atPath: hub)
        for name in files where name.contains(".sqlite") {
            try FileManager.default.removeItem(atPath: hub + "/" + name)
        }
    }
}
