import DeviceEmulator
import HubClient
import HubVocabulary

/// Some devices stop reading while a heavy broadcast goes on: the others must not notice, the hub's
/// memory must not grow with it, and the slow ones lose nothing.
///
/// Phases in which all devices read alternate with phases in which some do not, at one hub, so that
/// a machine whose speed drifts does not decide.
package struct SlowReadersBenchmark: BenchScenario {
    /// The settings of a run.
    package struct Options: Equatable, Sendable {
        /// Devices that always read.
        package var healthy = 80
        /// Devices that stop.
        package var slow = 20
        /// Notifications in each phase.
        package var notifications = 1_000
        /// Of these, so many a second.
        package var rate = 100.0
        /// Phases of each kind.
        package var pairs = 3
        /// About how many bytes a payload has.
        package var payloadBytes = 4_000
        /// Notifications before the measured ones.
        package var warmup = 50
        /// Threads that play the healthy devices.
        package var loops = 1
        /// How long to wait for all devices, and for what the slow ones missed.
        package var patience: Duration = .seconds(120)
        /// Decides payloads.
        package var seed: UInt64 = 1

        /// The defaults.
        package init() {}
    }

    private static let tag = "slow-readers"
    private static let connections = 8
    private static let quiet: Duration = .milliseconds(400)

    /// `slow-readers`.
    package let name = "slow-readers"
    private let options: Options

    /// A benchmark of a hub that has no other clients.
    package init(options: Options) { self.options = options }

    /// The settings, by the option's name.
    package var settings: [String: String] {
        [
            "devices": "\(options.healthy + options.slow)", "slow": "\(options.slow)",
            "notifications": "\(options.notifications)", "rate": "\(options.rate)",
            "pairs": "\(options.pairs)", "payload": "\(options.payloadBytes)",
            "warmup": "\(options.warmup)", "loops": "\(options.loops)", "seed": "\(options.seed)",
        ]
    }

    /// The measurements of a phase.
    private struct Phase {
        var latency: LatencySample
        var bytesMost: Int?
    }

    /// Who takes part.
    private struct Cast {
        let pid: Int32
        let load: RESTLoad
        let healthy: ReceiptLedger
        let slow: ReceiptLedger
        let gate: ReadingGate
        let slowFleet: Fleet
        let payloads: [[UInt8]]
    }

    /// Measures once.
    package func turn(
        _ hub: any BenchHub,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let (healthy, slow, gate) = (ReceiptLedger(), ReceiptLedger(), ReadingGate())
        let load = try RESTLoad(
            hub.connection,
            connections: Self.connections,
            version: .http1
        )
        var maker = PayloadMaker(bytes: options.payloadBytes, seed: options.seed)
        let payloads = (0..<64).map { _ in maker.next() }
        let outcome: Result<BenchTurn, BenchFailure>
        do throws(BenchFailure) {
            let turn = try await Fleet.ramped(
                configuration(hub.connection, options.healthy, options.loops, options.seed),
                patience: options.patience,
                progress: progress,
                onNotification: { device, notification, time in
                    healthy.record(device: device, notification, at: time)
                },
                body: { (_, _) async throws(BenchFailure) in
                    try await Fleet.ramped(
                        configuration(hub.connection, options.slow, 1, ~options.seed),
                        patience: options.patience,
                        progress: progress,
                        onNotification: { device, notification, time in
                            gate.pass()
                            slow.record(device: device, notification, at: time)
                        },
                        body: { (fleet, _) async throws(BenchFailure) in
                            let cast = Cast(
                                pid: hub.connection.pid,
                                load: load,
                                healthy: healthy,
                                slow: slow,
                                gate: gate,
                                slowFleet: fleet,
                                payloads: payloads
                            )
                            let turn = await measure(cast, progress)
                            gate.open()
                            return turn
                        }
                    )
                }
            )
            outcome = .success(turn)
        } catch {
            outcome = .failure(error)
        }
        gate.open()
        await load.close()
        return try outcome.get()
    }

    private func configuration(
        _ connection: ConnectionFile,
        _ count: Int,
        _ loops: Int,
        _ seed: UInt64
    ) -> Fleet.Configuration {
        var configuration = Fleet.Configuration(
            connection: connection,
            count: count,
            seed: seed
        ) { _ in [RegistrationChoice(platform: .gcm, tags: [Self.tag])] }
        configuration.loops = loops
        return configuration
    }

    private func measure(_ cast: Cast, _ progress: @escaping BenchProgress) async -> BenchTurn {
        var all: [SendRecord] = []
        var without = LatencySample("due to receipt, everybody reads")
        var beside = LatencySample("due to receipt, beside slow readers")
        var bytesWithout: Int?
        var bytesBeside: Int?
        var catchUp = 0.0
        var turn = BenchTurn()
        all += await send(options.warmup, cast)
        await everybodyHas(all, cast, &turn)
        let start = HubReading(cast.pid)
        for pair in 1...max(1, options.pairs) {
            progress("pair \(pair) of \(options.pairs): everybody reads")
            let control = await phase(cast, &all)
            without.add(control.latency)
            bytesWithout = [bytesWithout, control.bytesMost].compactMap { $0 }.max()
            await everybodyHas(all, cast, &turn)

            progress("pair \(pair) of \(options.pairs): \(options.slow) devices do not read")
            cast.gate.close()
            let stalled = await phase(cast, &all)
            beside.add(stalled.latency)
            bytesBeside = [bytesBeside, stalled.bytesMost].compactMap { $0 }.max()
            let released = Instant.now
            cast.gate.open()
            await everybodyHas(all, cast, &turn)
            catchUp = max(catchUp, Double(Instant.now.since(released).wholeMilliseconds))
            await Pause.last(Self.quiet)
        }
        let end = HubReading(cast.pid)
        evaluate(all, cast, &turn)
        let (first, second) = (BenchLatency(without), BenchLatency(beside))
        turn.read("healthy p99, everybody reads", first.p99 / 1_000, "ms", .less)
        turn.read("healthy p99, beside slow readers", second.p99 / 1_000, "ms", .less)
        turn.read("healthy p99, ratio", second.p99 / max(first.p99, 1e-9), "", .less)
        turn.read("hub memory at start", start.bytes.map(Double.init), "bytes", .neither)
        turn.read("hub memory, everybody reads", bytesWithout.map(Double.init), "bytes", .neither)
        turn.read("hub memory, beside slow readers", bytesBeside.map(Double.init), "bytes", .less)
        turn.read("slow readers caught up after", catchUp / 1_000, "s", .neither)
        let deliveries = Double(max(1, turn.counts.delivered))
        turn.read(
            "server CPU per delivery",
            start.cpuMicroseconds(to: end).map { $0 / deliveries },
            "µs",
            .less
        )
        turn.latencies = [without, beside]
        return turn
    }

    /// Sends at the rate, until the healthy devices have everything.
    private func phase(_ cast: Cast, _ all: inout [SendRecord]) async -> Phase {
        let pid = cast.pid
        let watching = Task { await Self.memory(of: pid) }
        let sends = await send(options.notifications, cast)
        await healthyHave(sends, cast)
        watching.cancel()
        var phase = Phase(latency: LatencySample(""), bytesMost: await watching.value)
        let audience = BenchAudience(count: options.healthy) { _ in true }
        let audited = sends.map { AuditedSend(record: $0, audience: audience) }
        _ = cast.healthy.audit(audited) { send, time in
            let took = time.since(send.record.intendedAt)
            phase.latency.record(nanoseconds: took.wholeNanoseconds)
        }
        all += sends
        return phase
    }

    private func send(_ count: Int, _ cast: Cast) async -> [SendRecord] {
        await Operations(count: count, workers: 64, rate: options.rate).run { number, worker, due in
            let body = cast.payloads[number % cast.payloads.count]
            return await cast.load.send(body, tags: Self.tag, over: worker).intended(at: due)
        }
    }

    /// Waits until healthy and slow devices have what was sent, or were told of a loss.
    private func everybodyHas(
        _ sends: [SendRecord],
        _ cast: Cast,
        _ turn: inout BenchTurn
    ) async {
        await healthyHave(sends, cast)
        let owed = sends.count { $0.id != nil } * options.slow
        let hasCaughtUp = await cast.slowFleet.wait(upTo: options.patience) { _ in
            cast.slow.total + cast.slowFleet.announcedLosses >= owed
        }
        if !hasCaughtUp { turn.faults.append("slow devices had not caught up in time") }
    }

    private func healthyHave(_ sends: [SendRecord], _ cast: Cast) async {
        _ = await cast.healthy.arrival(of: sends, at: options.healthy, within: options.patience)
    }

    private func evaluate(_ all: [SendRecord], _ cast: Cast, _ turn: inout BenchTurn) {
        let healthy = BenchAudience(count: options.healthy) { _ in true }
        let slow = BenchAudience(count: options.slow) { _ in true }
        turn.counts = cast.healthy.audit(all.map { AuditedSend(record: $0, audience: healthy) })
        var late = cast.slow.audit(all.map { AuditedSend(record: $0, audience: slow) })
        // Told is not lost; and a send that failed is counted once.
        let announced = cast.slowFleet.announcedLosses
        late.lost = max(0, late.lost - announced)
        late.sendsFailed = 0
        turn.counts.add(late)
        turn.read("losses announced to slow readers", Double(announced), "", .neither)
        turn.read(
            "slow readers' connections lost",
            Double(cast.slowFleet.progress.disconnected),
            "",
            .neither
        )
    }

    /// The most memory that a process has until the task is cancelled.
    private static func memory(of pid: Int32) async -> Int? {
        var most: Int?
        while !Task.isCancelled {
            most = [most, HubProcess.residentBytes(pid)].compactMap { $0 }.max()
            await Pause.last(.milliseconds(20))
        }
        return most
    }
}
