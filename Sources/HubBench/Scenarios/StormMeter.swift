import DeviceEmulator
import HubClient
import HubSender
import HubVocabulary
import Synchronization

/// Sends to a tag that no device has while the storm lasts, and looks at the hub's memory.
final class StormMeter: Sendable {
    private struct Readings {
        var latency = LatencySample("send meanwhile")
        var sends = 0
        var failed = 0
        var bytesPeak: Int?
        var isOver = false
    }

    private static let pause: Duration = .milliseconds(20)

    private let hub: Int32
    private let readings = Mutex(Readings())

    init(hub: Int32) { self.hub = hub }

    func stop() { readings.withLock { $0.isOver = true } }

    private var isOver: Bool { readings.withLock { $0.isOver } }

    func send(_ body: [UInt8], _ file: ConnectionFile) async {
        // The backlog was sent with the same file; that it cannot be read now fails the run.
        guard let sender = try? SenderClient(file) else {
            return readings.withLock { $0.failed += 1 }
        }
        while !isOver {
            let record = await SendRecord(
                sending: .native(.gcm, body: body, tags: "storm-nobody"),
                with: sender
            )
            let elapsed = record.answeredAt.since(record.sentAt).wholeNanoseconds
            readings.withLock { readings in
                readings.sends += 1
                readings.failed += record.id == nil ? 1 : 0
                readings.latency.record(nanoseconds: elapsed)
            }
            await Pause.last(Self.pause)
        }
        await sender.close()
    }

    func watch() async {
        while !isOver {
            if let bytes = HubProcess.residentBytes(hub) {
                readings.withLock { $0.bytesPeak = max($0.bytesPeak ?? 0, bytes) }
            }
            await Pause.last(Self.pause)
        }
    }

    /// Adds what was seen to a turn.
    func report(into turn: inout BenchTurn) {
        readings.withLock { readings in
            let latency = BenchLatency(readings.latency)
            turn.read("send meanwhile, p99", latency.p99 / 1_000, "ms", .less)
            turn.read("send meanwhile, slowest", latency.max / 1_000, "ms", .less)
            turn.read("sends meanwhile", Double(readings.sends), "", .neither)
            turn.read("hub memory at most", readings.bytesPeak.map(Double.init), "bytes", .less)
            turn.latencies.append(readings.latency)
            turn.counts.sendsFailed += readings.failed
        }
    }
}
