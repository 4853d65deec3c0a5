import DeviceEmulator
import HubClient
import HubSender
import HubVocabulary

/// Connects devices to a hub, sends notifications to one tag, and measures and verifies what
/// arrives.
package struct FanoutBenchmark: BenchScenario {
    /// The settings of a run.
    package struct Options: Equatable, Sendable {
        /// Devices that subscribe to the tag.
        package var devices = 1_000
        /// Notifications to measure.
        package var notifications = 20
        /// Notifications sent at once; the next burst waits until this one has arrived.
        package var burst = 1
        /// About how many bytes a payload has.
        package var payloadBytes = 256
        /// The tag.
        package var tag = "bench"
        /// Bursts in a second, whether the last one has arrived or not; nil waits for arrival.
        package var rate: Double?
        /// Pause between bursts.
        package var gap: Duration = .milliseconds(0)
        /// Notifications before the measured ones.
        package var warmup = 3
        /// Threads of the load generator for devices.
        package var loops = 2
        /// Milliseconds the device threads rest between looks at their connections; then the hub
        /// does not pay for waking them, and latencies mean nothing.
        package var restMilliseconds: UInt64 = 0
        /// How long to wait for all devices, and for the deliveries of a burst.
        package var patience: Duration = .seconds(60)
        /// Decides payloads and device tokens.
        package var seed: UInt64 = 1

        /// The defaults.
        package init() {}
    }

    /// Longer than any acknowledgement waits.
    private static let quiet: Duration = .milliseconds(400)
    /// Bursts under way at once when they begin at a rate.
    private static let burstsMax = 256

    /// `fanout`.
    package let name = "fanout"
    private let options: Options

    /// A benchmark of a hub, which others may use as well.
    package init(options: Options) { self.options = options }

    /// The settings, by the option's name.
    package var settings: [String: String] {
        var settings = [
            "devices": "\(options.devices)", "notifications": "\(options.notifications)",
            "burst": "\(options.burst)", "payload": "\(options.payloadBytes)",
            "gap": "\(options.gap.wholeMilliseconds)", "warmup": "\(options.warmup)",
            "loops": "\(options.loops)", "rest": "\(options.restMilliseconds)",
            "seed": "\(options.seed)",
        ]
        settings["rate"] = options.rate.map { "\($0)" }
        return settings
    }

    /// Measures once.
    package func turn(
        _ hub: any BenchHub,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let ledger = ReceiptLedger()
        let sender: SenderClient
        do throws(SenderError) {
            sender = try SenderClient(hub.connection)
        } catch {
            throw .sending(error)
        }
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
                    try await measure(fleet, ramp, ledger, sender, progress)
                }
            )
            outcome = .success(turn)
        } catch {
            outcome = .failure(error)
        }
        await sender.close()
        return try outcome.get()
    }

    /// The devices that subscribe, and behind them one in a hundred that must get nothing.
    private func configuration(_ connection: ConnectionFile) -> Fleet.Configuration {
        let (devices, tag) = (options.devices, options.tag)
        var configuration = Fleet.Configuration(
            connection: connection,
            count: devices + max(1, devices / 100),
            seed: options.seed
        ) { number in
            [
                RegistrationChoice(
                    platform: .gcm,
                    tags: number < devices ? [tag, "device:\(number)"] : [tag + "-other"]
                )
            ]
        }
        configuration.loops = options.loops
        configuration.restMilliseconds = options.restMilliseconds
        return configuration
    }

    private func measure(
        _ fleet: Fleet,
        _ ramp: Ramp,
        _ ledger: ReceiptLedger,
        _ sender: SenderClient,
        _ progress: BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let pid = fleet.configuration.connection.pid
        var payloads = PayloadMaker(bytes: options.payloadBytes, seed: options.seed)
        var warm: [SendRecord] = []
        for _ in 0..<options.warmup {
            warm += await Self.send(outgoing(options.burst, &payloads), sender)
            await awaitArrival(of: warm, ledger)
        }
        if let failure = warm.last?.failure { throw .sending(failure) }
        // The acknowledgements of the warm-up are not those of the run.
        await Pause.last(Self.quiet)
        let before = fleet.progress
        let start = HubReading(pid)
        let sends = await sendAll(&payloads, sender, ledger, progress)
        // The last acknowledgements belong to the run, and what comes twice may come late.
        await Pause.last(Self.quiet)
        let end = HubReading(pid)
        if let failure = sends.first?.failure, sends.allSatisfy({ $0.failure != nil }) {
            throw .sending(failure)
        }
        var turn = BenchTurn()
        evaluate(sends, warm, ledger, start.cpuMicroseconds(to: end), &turn)
        ramp.read(into: &turn)
        read(sends, from: before, to: fleet.progress, &turn)
        try await fleet.comeBackOnce(patience: options.patience, progress, into: &turn)
        return turn
    }

    // MARK: Sending

    private func sendAll(
        _ payloads: inout PayloadMaker,
        _ sender: SenderClient,
        _ ledger: ReceiptLedger,
        _ progress: BenchProgress
    ) async -> [SendRecord] {
        var sends: [SendRecord] = []
        if let rate = options.rate, rate > 0 {
            sends = await sendPlanned(at: rate, &payloads, sender)
            await awaitArrival(of: sends, ledger)
        } else {
            var told = Instant.now
            while sends.count < options.notifications {
                let count = min(options.burst, options.notifications - sends.count)
                let records = await Self.send(outgoing(max(1, count), &payloads), sender)
                sends += records
                await awaitArrival(of: records, ledger)
                if options.gap > .zero { await Pause.last(options.gap) }
                if Instant.now.since(told) > .seconds(1) {
                    told = .now
                    progress("sent \(sends.count), delivered \(ledger.total)")
                }
            }
        }
        progress("sent \(sends.count), delivered \(ledger.total)")
        return sends
    }

    /// Sends bursts at moments that are fixed before, whatever becomes of earlier ones.
    private func sendPlanned(
        at rate: Double,
        _ payloads: inout PayloadMaker,
        _ sender: SenderClient
    ) async -> [SendRecord] {
        let burst = max(1, options.burst)
        let bursts = (0..<(options.notifications / burst)).map { _ in
            outgoing(burst, &payloads)
        }
        let plan = Operations(count: bursts.count, workers: Self.burstsMax, rate: rate)
        return await plan.run { number, _, due in
            await Self.send(bursts[number], sender).map { $0.intended(at: due) }
        }
        .flatMap { $0 }
    }

    private func outgoing(
        _ count: Int,
        _ payloads: inout PayloadMaker
    ) -> [OutgoingNotification] {
        (0..<count).map { _ in .native(.gcm, body: payloads.next(), tags: options.tag) }
    }

    /// Sends some notifications at once.
    private static func send(
        _ notifications: [OutgoingNotification],
        _ sender: SenderClient
    ) async -> [SendRecord] {
        await withTaskGroup(of: SendRecord.self) { group in
            for notification in notifications {
                group.addTask { await SendRecord(sending: notification, with: sender) }
            }
            var records: [SendRecord] = []
            for await record in group { records.append(record) }
            return records
        }
    }

    /// Waits until every subscriber has what was sent, or patience ends.
    private func awaitArrival(of sends: [SendRecord], _ ledger: ReceiptLedger) async {
        _ = await ledger.arrival(of: sends, at: options.devices, within: options.patience)
    }

    // MARK: Results

    private func evaluate(
        _ sends: [SendRecord],
        _ warm: [SendRecord],
        _ ledger: ReceiptLedger,
        _ cpu: Double?,
        _ turn: inout BenchTurn
    ) {
        let devices = options.devices
        let everyone = BenchAudience(count: devices) { $0 < devices }
        let audited = sends.map { AuditedSend(record: $0, audience: everyone) }
        var sinceAnswer = LatencySample("201 to receipt")
        var sinceSend = LatencySample("send to receipt")
        let first = sends.map(\.intendedAt).min() ?? .now
        var last = first
        let measured = ledger.audit(audited) { send, time in
            sinceAnswer.record(nanoseconds: time.since(send.record.answeredAt).wholeNanoseconds)
            sinceSend.record(nanoseconds: time.since(send.record.intendedAt).wholeNanoseconds)
            last = max(last, time)
        }
        // A warm-up is verified, not measured.
        turn.counts = ledger.audit(
            audited + warm.map { AuditedSend(record: $0, audience: everyone) }
        )
        turn.counts.expected = measured.expected
        turn.counts.delivered = measured.delivered
        let seconds = Double(last.since(first).wholeNanoseconds) / 1_000_000_000
        let delivered = Double(measured.delivered)
        if delivered > 0 {
            turn.read("server CPU per delivery", cpu.map { $0 / delivered }, "µs", .less)
        }
        turn.read("deliveries", seconds > 0 ? delivered / seconds : 0, "/s", .more)
        turn.latencies = [sinceAnswer, sinceSend]
    }

    /// Adds the devices' counts beside deliveries to a turn.
    private func read(
        _ sends: [SendRecord],
        from before: FleetProgress,
        to after: FleetProgress,
        _ turn: inout BenchTurn
    ) {
        let accepted = sends.filter { $0.id != nil }
        let payload = accepted.reduce(0) { $0 + $1.payloadBytes }
        let entries = Double(max(1, after.received - before.received))
        turn.read("payload", Double(payload) / Double(max(1, accepted.count)), "bytes", .neither)
        let wireBytes = Double(after.wireBytes - before.wireBytes)
        turn.read("entry on the link", wireBytes / entries, "bytes", .neither)
        turn.read("connections lost", Double(after.disconnected), "", .neither)
        // A fault that cost nothing is the link's everyday life.
        if !turn.counts.isExact, let fault = after.firstFault { turn.faults.append(fault) }
    }
}
