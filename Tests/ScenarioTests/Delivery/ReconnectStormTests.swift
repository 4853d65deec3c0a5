import HubBench
import HubClient
import Synchronization
import Testing

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
        let result = try await StormBenchmark(options: options).run(current)
        #expect(result.isExact, "\(result)")
        // 12 for all, 36 for a sixteenth each, and the last one for all.
        #expect(result.delivered == result.expected)
        #expect(result.expected >= 300 * 13, "\(result)")
        #expect(result.sends > 0)
        #expect(result.bytesPeak != nil)
        let last = current.hub.withLock { $0 }
        #expect(try await last.terminate() == 0)
    }
}
