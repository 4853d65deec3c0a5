import DeviceEmulator
import HubClient
import HubVocabulary

/// Sends to small audiences and waits for each receipt, with a bounded number under way.
///
/// `targeted` sends to single devices, each with a tag of its own. `segments` sends to tags that
/// many devices share. Every send is a request of its own over REST, unless it is told to put many
/// into one, and durable before it is answered.
package struct AudienceBenchmark: BenchScenario {
    /// The settings of a run.
    package struct Options: Equatable, Sendable {
        /// Devices.
        package var devices = 10_000
        /// Tags; nil gives each device one of its own.
        package var tags: Int?
        /// Tags of each device, where there are so many tags.
        package var tagsPerDevice = 10
        /// Sends to measure.
        package var notifications = 100_000
        /// Sends before them.
        package var warmup = 1_000
        /// Sends under way at once, from the request to the last receipt.
        package var window = 1_000
        /// Sends in a second, whatever became of earlier ones; nil for as many as can.
        package var rate: Double?
        /// Sends of one request; with more than one they are its lines, and the window counts them.
        package var sendsPerRequest = 1
        /// REST connections of the senders.
        package var connections = 64
        /// Their protocol.
        package var version = RESTLoad.Version.http1
        /// About how many bytes a payload has.
        package var payloadBytes = 256
        /// Threads that play devices.
        package var loops = 2
        /// Milliseconds the devices' threads rest between looks at their connections.
        package var restMilliseconds: UInt64 = 0
        /// How long to wait for all devices, and for a delivery when none comes.
        package var patience: Duration = .seconds(120)
        /// Decides tags, audiences and payloads.
        package var seed: UInt64 = 1

        /// The defaults of `targeted`.
        package init() {}
    }

    /// Payloads that differ; sends use them in turn.
    private static let payloads = 256
    private static let quiet: Duration = .milliseconds(400)

    private let options: Options

    /// Who takes part in a turn.
    private struct Cast {
        let pid: Int32
        let ledger: ReceiptLedger
        let groups: AudienceGroups
        let load: RESTLoad
        let payloads: [[UInt8]]
    }

    /// The time and the cost of the measured sends.
    private struct Cost {
        let seconds: Double
        /// CPU of the hub's process in microseconds.
        let cpu: Double?
        /// The same for a send whose tag no device has.
        let perSend: Double?
    }

    /// A benchmark that is `segments` when there are tags to share, and `targeted` otherwise.
    package init(options: Options) { self.options = options }

    /// `targeted` or `segments`.
    package var name: String { options.tags == nil ? "targeted" : "segments" }

    /// The settings, by the option's name.
    package var settings: [String: String] {
        var settings = [
            "devices": "\(options.devices)", "notifications": "\(options.notifications)",
            "window": "\(options.window)", "connections": "\(options.connections)",
            "http": options.version.rawValue, "payload": "\(options.payloadBytes)",
            "warmup": "\(options.warmup)", "loops": "\(options.loops)",
            "rest": "\(options.restMilliseconds)", "seed": "\(options.seed)",
        ]
        if options.sendsPerRequest > 1 {
            settings["sends-per-request"] = "\(options.sendsPerRequest)"
        }
        settings["rate"] = options.rate.map { "\($0)" }
        if let tags = options.tags {
            settings["tags"] = "\(tags)"
            settings["tags-per-device"] = "\(options.tagsPerDevice)"
        }
        return settings
    }

    /// Measures once.
    package func turn(
        _ hub: any BenchHub,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let ledger = ReceiptLedger()
        let load = try RESTLoad(
            hub.connection,
            connections: options.connections,
            version: options.version
        )
        var maker = PayloadMaker(bytes: options.payloadBytes, seed: options.seed)
        let cast = Cast(
            pid: hub.connection.pid,
            ledger: ledger,
            groups: AudienceGroups(options),
            load: load,
            payloads: (0..<Self.payloads).map { _ in maker.next() }
        )
        let outcome: Result<BenchTurn, BenchFailure>
        do throws(BenchFailure) {
            let turn = try await Fleet.ramped(
                configuration(hub.connection, cast.groups),
                patience: options.patience,
                progress: progress,
                onNotification: { device, notification, time in
                    ledger.record(device: device, notification, at: time)
                },
                body: { (_, ramp) async throws(BenchFailure) in
                    try await measure(cast, ramp, progress)
                }
            )
            outcome = .success(turn)
        } catch {
            outcome = .failure(error)
        }
        await load.close()
        return try outcome.get()
    }

    private func configuration(
        _ connection: ConnectionFile,
        _ groups: AudienceGroups
    ) -> Fleet.Configuration {
        var configuration = Fleet.Configuration(
            connection: connection,
            count: options.devices,
            seed: options.seed
        ) { number in
            [RegistrationChoice(platform: .gcm, tags: groups.tags(ofDevice: number))]
        }
        configuration.loops = options.loops
        configuration.restMilliseconds = options.restMilliseconds
        return configuration
    }

    private func measure(
        _ cast: Cast,
        _ ramp: Ramp,
        _ progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let watch = Task { await Self.watch(cast.ledger, options.patience, progress) }
        defer { watch.cancel() }

        progress("warming up with \(options.warmup) sends")
        let warm = await send(options.warmup, from: 0, nil, cast)
        if let failure = warm.first?.record.failure, warm.allSatisfy({ $0.record.id == nil }) {
            throw .sending(failure)
        }
        // The cost of a send whose tag no device has; the difference is the delivery's.
        progress("measuring sends to nobody")
        let beforeNobody = HubReading(cast.pid)
        let nobody = max(1, options.notifications / 10)
        let alone = await sendToNobody(nobody, cast)
        let afterNobody = HubReading(cast.pid)

        progress("measuring \(options.notifications) sends")
        await Pause.last(Self.quiet)
        let start = HubReading(cast.pid)
        let count = options.notifications
        let first = options.warmup
        let sends = await send(count, from: first, options.rate, cast)
        let seconds = start.seconds(to: HubReading(cast.pid))
        // The last acknowledgements belong to the run, and what comes twice may come late.
        await Pause.last(Self.quiet)
        let end = HubReading(cast.pid)

        var turn = BenchTurn()
        let cost = Cost(
            seconds: seconds,
            cpu: start.cpuMicroseconds(to: end),
            perSend: beforeNobody.cpuMicroseconds(to: afterNobody).map { $0 / Double(nobody) }
        )
        turn.counts = cast.ledger.audit(warm + sends)
        evaluate(sends, cost, cast.ledger, &turn)
        ramp.read(into: &turn)
        turn.counts.sendsFailed += alone
        return turn
    }

    private func send(
        _ count: Int,
        from first: Int,
        _ rate: Double?,
        _ cast: Cast
    ) async -> [AuditedSend] {
        var random = SeededRandom(seed: options.seed &+ UInt64(first) &* 7_919)
        let targets = (0..<count).map { _ in Int.random(in: 0..<cast.groups.count, using: &random) }
        let size = options.sendsPerRequest
        let requests = Operations(
            count: (count + size - 1) / size,
            workers: max(1, options.window / size),
            rate: rate.map { $0 / Double(size) }
        )
        let sent = await requests.run { number, worker, due in
            let own = number * size..<min(count, (number + 1) * size)
            let records = await Self.send(
                own.map { (cast.payloads[$0 % cast.payloads.count], cast.groups.tag(targets[$0])) },
                cast.load,
                worker
            )
            let audited = zip(records, own).map { record, number in
                AuditedSend(
                    record: record.intended(at: rate == nil ? nil : due),
                    audience: cast.groups.audience(targets[number])
                )
            }
            for send in audited {
                if let id = send.record.id {
                    _ = await cast.ledger.arrival(of: id, at: send.audience.count)
                }
            }
            return audited
        }
        return sent.flatMap(\.self)
    }

    /// One request: a single send as any client writes it, or a line for each.
    private static func send(
        _ sends: [(body: [UInt8], tags: String)],
        _ load: RESTLoad,
        _ worker: Int
    ) async -> [SendRecord] {
        guard sends.count == 1 else { return await load.send(sends, over: worker) }
        return [await load.send(sends[0].body, tags: sends[0].tags, over: worker)]
    }

    /// How many of so many sends failed.
    private func sendToNobody(
        _ count: Int,
        _ cast: Cast
    ) async -> Int {
        let size = options.sendsPerRequest
        let workers = min(max(1, options.window / size), options.connections * 4)
        let records = await Operations(count: (count + size - 1) / size, workers: workers)
            .run { number, worker, _ in
                let own = number * size..<min(count, (number + 1) * size)
                let sends = own.map { (cast.payloads[$0 % cast.payloads.count], "nobody") }
                return await Self.send(sends, cast.load, worker)
            }
        return records.joined().count { $0.id == nil }
    }

    private func evaluate(
        _ sends: [AuditedSend],
        _ cost: Cost,
        _ ledger: ReceiptLedger,
        _ turn: inout BenchTurn
    ) {
        var sinceAnswer = LatencySample("201 to receipt")
        var sinceSend = LatencySample("send to receipt")
        var answer = LatencySample("send to 201")
        for send in sends where send.record.id != nil {
            let took = send.record.answeredAt.since(send.record.intendedAt)
            answer.record(nanoseconds: took.wholeNanoseconds)
        }
        let measured = ledger.audit(sends) { send, time in
            let record = send.record
            sinceAnswer.record(nanoseconds: time.since(record.answeredAt).wholeNanoseconds)
            sinceSend.record(nanoseconds: time.since(record.intendedAt).wholeNanoseconds)
        }
        let deliveries = Double(max(1, measured.delivered))
        turn.read("server CPU per delivery", cost.cpu.map { $0 / deliveries }, "µs", .less)
        let perSend = cost.cpu.map { $0 / Double(max(1, sends.count)) }
        turn.read("server CPU per send", perSend, "µs", .less)
        turn.read("server CPU per send to nobody", cost.perSend, "µs", .less)
        if let cpu = cost.cpu, let perSend = cost.perSend {
            let rest = max(0, cpu - perSend * Double(sends.count)) / deliveries
            turn.read("server CPU of a delivery beyond its send", rest, "µs", .less)
        }
        let aim: BenchAim = options.rate == nil ? .more : .neither
        turn.read("sends", Double(sends.count) / max(cost.seconds, 1e-9), "/s", aim)
        turn.read("deliveries", deliveries / max(cost.seconds, 1e-9), "/s", aim)
        turn.latencies = [sinceAnswer, sinceSend, answer]
    }

    /// Gives up when nothing has come for a while, so that no sender waits for ever.
    private static func watch(
        _ ledger: ReceiptLedger,
        _ patience: Duration,
        _ progress: BenchProgress
    ) async {
        var total = -1
        var since = Instant.now
        while !Task.isCancelled {
            let now = ledger.total
            if now != total {
                total = now
                since = .now
            } else if Instant.now.since(since) > patience {
                return ledger.giveUp()
            }
            await Pause.last(.milliseconds(500))
            if total > 0, ledger.total != total { progress("\(ledger.total) deliveries") }
        }
    }
}
