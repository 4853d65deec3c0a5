import DeviceEmulator
import HubClient
import Synchronization

/// Sends to nobody while the storm lasts, and looks at the hub's memory.
final class StormMeter: Sendable {
    private struct Readings {
        var latency = LatencySample("send")
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

    func send(_ body: [UInt8], platform: DevicePlatform, _ file: ConnectionFile) async {
        guard let sender = try? SenderClient(file) else { return }
        while !isOver {
            let record = await SendRecord(
                sending: .native(platform, body: body, tags: "storm-nobody"),
                with: sender
            )
            let elapsed = record.answeredAt.since(record.sentAt).wholeNanoseconds
            readings.withLock { readings in
                readings.sends += 1
                readings.failed += record.id == nil ? 1 : 0
                readings.latency.record(nanoseconds: elapsed)
            }
            try? await Task.sleep(for: Self.pause)
        }
        await sender.close()
    }

    func watch() async {
        while !isOver {
            if let bytes = HubProcess.residentBytes(hub) {
                readings.withLock { $0.bytesPeak = max($0.bytesPeak ?? 0, bytes) }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    func report(into result: inout StormResult) {
        readings.withLock { readings in
            let latency = BenchLatency(readings.latency)
            result.sends = readings.sends
            result.sendsFailed = readings.failed
            result.sendP50 = latency.p50 / 1_000
            result.sendP99 = latency.p99 / 1_000
            result.sendMax = latency.max / 1_000
            result.bytesPeak = readings.bytesPeak
        }
    }
}
