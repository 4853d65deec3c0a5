import DeviceEmulator
import HubClient

/// Turns what was seen into a result.
struct FanoutEvaluation {
    /// The figures by name, and as a turn.
    struct Outcome {
        let result: FanoutResult
        let turn: BenchTurn
    }

    let options: FanoutBenchmark.Options
    let controls: Int
    let ledger: DeliveryLedger
    let ramp: Ramp
    /// CPU of the hub's process in microseconds.
    let cpu: Double?

    private struct Sums {
        var sinceAnswer = LatencySample("201 to receipt")
        var sinceSend = LatencySample("send to receipt")
        var delivered = 0
        var duplicated = 0
        var misrouted = 0
        var payloadBytes = 0
        var wireBytes = 0
        var last = MonotonicTime(nanoseconds: 0)
    }

    func outcome(
        _ sends: [SendRecord],
        warm: [SendRecord],
        fleet: FleetProgress
    ) -> Outcome {
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
        let first = sends.map(\.intendedAt).min() ?? sums.last
        let seconds = Double(sums.last.since(first).wholeNanoseconds) / 1_000_000_000
        let connections = Double(options.devices + controls)
        let result = FanoutResult(
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
            serverCPUPerConnection: ramp.before.cpuMicroseconds(to: ramp.connected)
                .map { $0 / connections },
            serverBytesPerConnection: ramp.before.growth(to: ramp.idle).map { $0 / connections },
            rampSeconds: ramp.before.seconds(to: ramp.connected),
            firstFault: fleet.firstFault
        )
        return Outcome(result: result, turn: turn(result, sums))
    }

    private func turn(_ result: FanoutResult, _ sums: Sums) -> BenchTurn {
        var turn = BenchTurn()
        turn.read("server CPU per delivery", result.serverCPUPerDelivery, "µs", .less)
        turn.read("deliveries", result.deliveriesPerSecond, "/s", .more)
        ramp.read(into: &turn)
        turn.read("payload", result.payloadBytes, "bytes", .neither)
        turn.read("entry on the link", result.wireBytes, "bytes", .neither)
        turn.read("connections lost", Double(result.disconnected), "", .neither)
        turn.latencies = [sums.sinceAnswer, sums.sinceSend]
        turn.counts.expected = result.expected
        turn.counts.delivered = result.delivered
        turn.counts.lost = result.lost
        turn.counts.duplicated = result.duplicated
        turn.counts.misrouted = result.misrouted
        turn.counts.sendsFailed = result.sendsFailed
        turn.detail = .fanout(result)
        return turn
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
            sums.sinceAnswer.record(nanoseconds: time.since(send.answeredAt).wholeNanoseconds)
            sums.sinceSend.record(nanoseconds: time.since(send.intendedAt).wholeNanoseconds)
            sums.last = max(sums.last, time)
        }
    }

    private static func mean(_ sum: Int, _ count: Int) -> Double {
        count > 0 ? Double(sum) / Double(count) : 0
    }

    private static func latency(_ sample: LatencySample) -> FanoutResult.Latency {
        let latency = BenchLatency(sample)
        return FanoutResult.Latency(
            p50: latency.p50,
            p90: latency.p90,
            p99: latency.p99,
            max: latency.max
        )
    }
}
