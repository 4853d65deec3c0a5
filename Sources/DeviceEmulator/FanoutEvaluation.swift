import Histogram
import HubClient

/// Turns what was seen into a result.
struct FanoutEvaluation {
    let options: FanoutBenchmark.Options
    let controls: Int
    let ledger: DeliveryLedger
    var ramp:
        (
            before: FanoutBenchmark.Reading, connected: FanoutBenchmark.Reading,
            idle: FanoutBenchmark.Reading
        )?
    var run: (start: FanoutBenchmark.Reading, end: FanoutBenchmark.Reading)?

    init(options: FanoutBenchmark.Options, controls: Int, ledger: DeliveryLedger) {
        self.options = options
        self.controls = controls
        self.ledger = ledger
    }

    private struct Sums {
        // Nanoseconds up to an hour, three digits.
        var sinceAnswer = Histogram<UInt64>(highestTrackableValue: 3_600_000_000_000)
        var sinceSend = Histogram<UInt64>(highestTrackableValue: 3_600_000_000_000)
        var delivered = 0
        var duplicated = 0
        var misrouted = 0
        var payloadBytes = 0
        var wireBytes = 0
        var last = MonotonicTime(nanoseconds: 0)
    }

    func result(
        _ sends: [SendRecord],
        warm: [SendRecord],
        fleet: FleetProgress
    ) -> FanoutResult {
        var sums = Sums()
        for send in sends { add(send, &sums) }
        // A warm-up is verified, not measured.
        let warmAccounts = warm.compactMap(\.id).map(ledger.account)
        let warmLost = warmAccounts.reduce(0) { $0 + options.devices - $1.received }
        let warmDuplicated = warmAccounts.reduce(0) { $0 + $1.duplicated }
        let warmMisrouted = warmAccounts.reduce(0) { $0 + $1.misrouted }
        let strangers = ledger.strangers(besides: (sends + warm).compactMap(\.id))

        let accepted = sends.count { $0.id != nil }
        let expected = accepted * options.devices
        let first = sends.map(\.sentAt).min() ?? sums.last
        let seconds = Self.seconds(sums.last.since(first))
        let cpu = run.flatMap { Self.cpu(from: $0.start, to: $0.end) }
        let connections = Double(options.devices + controls)
        return FanoutResult(
            devices: options.devices,
            controls: controls,
            notifications: sends.count,
            burst: options.burst,
            payloadBytes: Self.mean(sums.payloadBytes, accepted),
            wireBytes: Self.mean(sums.wireBytes, accepted),
            expected: expected,
            delivered: sums.delivered,
            lost: expected - sums.delivered + warmLost,
            duplicated: sums.duplicated + warmDuplicated,
            misrouted: sums.misrouted + warmMisrouted + strangers,
            sendsFailed: sends.count - accepted,
            disconnected: fleet.disconnected,
            seconds: seconds,
            deliveriesPerSecond: seconds > 0 ? Double(sums.delivered) / seconds : 0,
            sinceAnswer: Self.latency(sums.sinceAnswer),
            sinceSend: Self.latency(sums.sinceSend),
            serverCPUPerDelivery: cpu.flatMap {
                sums.delivered > 0 ? $0 / Double(sums.delivered) : nil
            },
            serverCPUPerConnection: ramp.flatMap { ramp in
                Self.cpu(from: ramp.before, to: ramp.connected).map { $0 / connections }
            },
            serverBytesPerConnection: ramp.flatMap { ramp in
                guard let idle = ramp.idle.bytes, let before = ramp.before.bytes else {
                    return nil
                }
                return Double(idle - before) / connections
            },
            rampSeconds: ramp.map { Self.seconds($0.connected.at.since($0.before.at)) } ?? 0,
            firstFault: fleet.firstFault
        )
    }

    private func add(_ send: SendRecord, _ sums: inout Sums) {
        guard let id = send.id else { return }
        let account = ledger.account(of: id)
        sums.delivered += account.received
        sums.duplicated += account.duplicated
        sums.misrouted += account.misrouted
        sums.payloadBytes += send.payloadBytes
        sums.wireBytes += account.wireBytes
        for nanoseconds in account.receivedAt where nanoseconds > 0 {
            let time = MonotonicTime(nanoseconds: nanoseconds)
            // Values above the range are hours and would have ended the run before.
            _ = sums.sinceAnswer.record(time.since(send.answeredAt).wholeNanoseconds)
            _ = sums.sinceSend.record(time.since(send.sentAt).wholeNanoseconds)
            sums.last = max(sums.last, time)
        }
    }

    /// Microseconds of CPU between two readings.
    private static func cpu(
        from start: FanoutBenchmark.Reading,
        to end: FanoutBenchmark.Reading
    ) -> Double? {
        guard let first = start.cpu, let last = end.cpu, last >= first else { return nil }
        return Double(last - first) / 1_000
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.wholeNanoseconds) / 1_000_000_000
    }

    private static func mean(_ sum: Int, _ count: Int) -> Double {
        count > 0 ? Double(sum) / Double(count) : 0
    }

    private static func latency(_ histogram: Histogram<UInt64>) -> FanoutResult.Latency {
        func microseconds(_ percentile: Double) -> Double {
            Double(histogram.valueAtPercentile(percentile)) / 1_000
        }
        return FanoutResult.Latency(
            p50: microseconds(50),
            p90: microseconds(90),
            p99: microseconds(99),
            max: Double(histogram.max) / 1_000
        )
    }
}
