import DeviceEmulator
import HubBench
import HubClient
import HubVocabulary
import Synchronization
import Testing

@testable import ScenarioSupport

@Suite("Many devices that come back at once", .timeLimit(.minutes(5)))
struct ReconnectStormTests {
    /// The hub that runs at the moment.
    private final class Current: BenchHub {
        let hub: Mutex<RunningHub>

        init(_ hub: RunningHub) { self.hub = Mutex(hub) }

        var connection: ConnectionFile { hub.withLock { $0.connection } }

        func restarted() async throws(BenchFailure) -> ConnectionFile {
            let first = hub.withLock { $0 }
            do {
                try await first.kill()
                let again = try await first.startedAgain()
                hub.withLock { $0 = again }
                return again.connection
            } catch {
                throw .hub("\(error)")
            }
        }
    }

    @Test("each get their backlog once and in order from a hub that was killed, and sends go on")
    func storm() async throws {
        let first = try await RunningHub.startRestartable()
        let current = Current(first)
        var options = StormBenchmark.Options()
        options.devices = 300
        options.backlog = 120
        let turn = try await StormBenchmark(options: options).turn(current) { _ in }
        #expect(turn.counts.isExact && turn.faults == [], "\(turn.counts) \(turn.faults)")
        // 12 for all, 36 for a sixteenth each, and the last one for all.
        #expect(turn.counts.delivered == turn.counts.expected)
        #expect(turn.counts.expected >= 300 * 13, "\(turn.counts)")
        for name in ["sends meanwhile", "hub memory at most"] {
            let reading = turn.readings.first { $0.name == name }
            #expect(reading.map { $0.value > 0 } == true, "\(name)")
        }
        let last = current.hub.withLock { $0 }
        #expect(try await last.terminate() == 0)
    }

    @Test(
        "ten devices are back within 3 s of a restart, whether they heard of it or not. [C-5]",
        arguments: [false, true]
    )
    func few(isKilled: Bool) async throws {
        let first = try await RunningHub.startRestartable()
        let fleet = try Fleet(
            Fleet.Configuration(connection: first.connection, count: 10, seed: 7) { _ in
                [RegistrationChoice(platform: .gcm, tags: ["few"])]
            }
        )
        #expect(await fleet.wait(upTo: .seconds(60)) { $0.registered == 10 })
        if isKilled {
            try await first.kill()
        } else {
            #expect(try await first.terminate() == 0)
        }
        #expect(await fleet.wait(upTo: .seconds(60)) { $0.connected == 0 })
        let again = try await first.startedAgain()
        let listens = Instant.now
        #expect(await fleet.wait(upTo: .seconds(60)) { $0.connected == 10 })
        let back = Instant.now.since(listens)
        #expect(back <= .seconds(3), "\(back)")
        await fleet.stop()
        #expect(try await again.terminate() == 0)
    }
}
