import DeviceEmulator
import HubClient
import HubVocabulary

/// Connects as many devices as there may be, lets nothing happen for a while, and then sends to
/// single ones.
package struct IdleBenchmark: BenchScenario {
    /// The settings of a run.
    package struct Options: Equatable, Sendable {
        /// Devices.
        package var devices = 10_000
        /// Tags of each device; one is its own.
        package var tags = 1
        /// Minutes in which nothing but keep-alives happens.
        package var minutes = 2.0
        /// Seconds between keep-alives; 15 is the least, the hub may ask for less.
        package var keepAliveSeconds: UInt16 = 60
        /// Notifications to single devices afterwards.
        package var singles = 500
        /// Of these, so many a second.
        package var rate = 50.0
        /// About how many bytes a payload has.
        package var payloadBytes = 256
        /// Threads that play devices.
        package var loops = 2
        /// How long to wait for all devices, and for a delivery.
        package var patience: Duration = .seconds(300)
        /// Decides payloads and whom they are for.
        package var seed: UInt64 = 1

        /// The defaults.
        package init() {}
    }

    /// Files that the load generator has open beside its devices' connections.
    static let otherFiles = 512
    private static let warmup = 20
    private static let connections = 4

    /// `idle`.
    package let name = "idle"
    private let options: Options

    /// A benchmark of a hub that has no other clients.
    package init(options: Options) { self.options = options }

    /// The settings, by the option's name.
    package var settings: [String: String] {
        [
            "devices": "\(options.devices)", "tags": "\(options.tags)",
            "minutes": "\(options.minutes)", "keep-alive": "\(options.keepAliveSeconds)",
            "singles": "\(options.singles)", "rate": "\(options.rate)",
            "payload": "\(options.payloadBytes)", "loops": "\(options.loops)",
            "seed": "\(options.seed)",
        ]
    }

    /// The most devices that this process's limit on open files allows.
    package static var devicesMax: Int {
        max(1, HubProcess.raiseOpenFileLimit(to: 1_048_576) - otherFiles)
    }

    /// Measures once.
    package func turn(
        _ hub: any BenchHub,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let needed = options.devices + Self.otherFiles
        let limit = HubProcess.raiseOpenFileLimit(to: needed)
        guard limit >= needed else { throw .openFiles(limit: limit, needed: needed) }
        let ledger = ReceiptLedger()
        let load = try RESTLoad(
            hub.connection,
            connections: Self.connections,
            version: .http1
        )
        let outcome: Result<BenchTurn, BenchFailure>
        do throws(BenchFailure) {
            let turn = try await Fleet.ramped(
                configuration(hub.connection),
                patience: options.patience,
                progress: progress,
                onNotification: { device, notification, time in
                    ledger.record(device: device, notification, at: time)
                },
                body: { (fleet, ramp) async throws(BenchFailure) in
                    var turn = BenchTurn()
                    ramp.read(into: &turn)
                    await hold(fleet, hub.connection.pid, progress, &turn)
                    await sendSingles(ledger, load, progress, &turn)
                    return turn
                }
            )
            outcome = .success(turn)
        } catch {
            outcome = .failure(error)
        }
        await load.close()
        return try outcome.get()
    }

    private func configuration(_ connection: ConnectionFile) -> Fleet.Configuration {
        let tags = options.tags
        var configuration = Fleet.Configuration(
            connection: connection,
            count: options.devices,
            seed: options.seed
        ) { number in
            let shared = (1..<max(1, tags)).map { "topic-\($0)-\(number % 97)" }
            return [
                RegistrationChoice(platform: .gcm, tags: [Self.tag(number)] + shared)
            ]
        }
        configuration.loops = options.loops
        configuration.keepAliveSeconds = options.keepAliveSeconds
        return configuration
    }

    private static func tag(_ device: Int) -> String { "device:\(device)" }

    /// Lets time pass; devices only say that they are there.
    private func hold(
        _ fleet: Fleet,
        _ pid: Int32,
        _ progress: BenchProgress,
        _ turn: inout BenchTurn
    ) async {
        let keptBefore = fleet.keepAlives
        let lostBefore = fleet.progress.disconnected
        let start = HubReading(pid)
        let end = start.at + .seconds(options.minutes * 60)
        while Instant.now < end, !Task.isCancelled {
            let left = end.since(.now)
            await Pause.last(min(left, .milliseconds(500)))
            progress(
                "\(fleet.progress.connected) devices are idle, \(fleet.keepAlives) keep-alives, "
                    + "\(end.since(.now).wholeMilliseconds / 1_000) s to go"
            )
        }
        let now = HubReading(pid)
        let kept = fleet.keepAlives - keptBefore
        let seconds = start.seconds(to: now)
        let lost = fleet.progress.disconnected - lostBefore
        turn.read(
            "idle CPU",
            start.cpuMicroseconds(to: now).map { $0 / 1_000 / max(seconds, 1e-9) },
            "ms/s",
            .less
        )
        turn.read("keep-alives", Double(kept), "", .neither)
        turn.read("connections", Double(fleet.progress.connected), "", .neither)
        turn.read("growth while idle", start.growth(to: now), "bytes", .neither)
        if lost > 0 { turn.faults.append("\(lost) connections ended while nothing happened") }
        // Every device has the time for so many rounds, wherever in an interval it began.
        let rounds = Int(seconds / Double(max(1, options.keepAliveSeconds))) - 1
        if rounds > 0, kept < rounds * options.devices {
            turn.faults.append("\(kept) keep-alives, \(rounds * options.devices) are the least")
        }
    }

    private func sendSingles(
        _ ledger: ReceiptLedger,
        _ load: RESTLoad,
        _ progress: BenchProgress,
        _ turn: inout BenchTurn
    ) async {
        guard options.singles > 0 else { return }
        progress("sending to single devices")
        var maker = PayloadMaker(bytes: options.payloadBytes, seed: options.seed)
        var random = SeededRandom(seed: options.seed ^ 0x51)
        let count = Self.warmup + options.singles
        let targets = (0..<count).map { _ in Int.random(in: 0..<options.devices, using: &random) }
        let payloads = targets.map { _ in maker.next() }
        let give = Task {
            let all = Duration.seconds(Double(count) / max(options.rate, 0.001))
            // Cancelled when all have come; then nothing is given up.
            guard await Pause.last(all + options.patience) else { return }
            ledger.giveUp()
        }
        let sends = await Operations(count: count, workers: 64, rate: options.rate)
            .run { number, worker, due in
                let target = targets[number]
                let record = await load.send(
                    payloads[number],
                    tags: Self.tag(target),
                    over: worker
                )
                .intended(at: due)
                if let id = record.id { _ = await ledger.arrival(of: id, at: 1) }
                return AuditedSend(record: record, audience: .one(target))
            }
        give.cancel()
        var sinceAnswer = LatencySample("201 to receipt, single")
        var sinceSend = LatencySample("send to receipt, single")
        var sinceDue = LatencySample("due to receipt, single")
        let measured = Array(sends.dropFirst(Self.warmup))
        _ = ledger.audit(measured) { send, time in
            sinceAnswer.record(nanoseconds: time.since(send.record.answeredAt).wholeNanoseconds)
            sinceSend.record(nanoseconds: time.since(send.record.sentAt).wholeNanoseconds)
            sinceDue.record(nanoseconds: time.since(send.record.intendedAt).wholeNanoseconds)
        }
        turn.counts.add(ledger.audit(sends))
        let latency = BenchLatency(sinceAnswer)
        turn.read("single, 201 to receipt, p50", latency.p50 / 1_000, "ms", .less)
        turn.read("single, 201 to receipt, p99", latency.p99 / 1_000, "ms", .less)
        turn.latencies += [sinceAnswer, sinceSend, sinceDue]
    }
}
