import DeviceEmulator
package import HubClient

/// Connects devices to a hub, sends notifications to one tag, and measures and verifies what
/// arrives.
package struct FanoutBenchmark: BenchScenario {
    /// What is done.
    package struct Options: Equatable, Sendable {
        /// Devices that subscribe to the tag.
        package var devices = 1_000
        /// Devices that subscribe to another tag; nil takes one in a hundred, at least one.
        package var controls: Int?
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
        /// The platform that all devices play.
        package var platform = DevicePlatform.gcm
        /// Threads of the load generator for devices.
        package var loops = 2
        /// Milliseconds the device threads rest between looks at their connections; then the hub
        /// does not pay for waking them, and latencies mean nothing.
        package var restMilliseconds: UInt64 = 0
        /// Connections being opened at once.
        package var openingsMax = 64
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

    /// `fanout`, or `burst` for the same thing with many notifications at once.
    package let name: String
    private let options: Options

    /// A benchmark under a name.
    package init(name: String = "fanout", options: Options) {
        self.name = name
        self.options = options
    }

    /// What it was told, by the option's name.
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
        try await measure(hub.connection, progress: progress).turn
    }

    /// Measures once, for those who want the figures by name.
    package func run(
        _ connection: ConnectionFile,
        progress: @escaping BenchProgress = { _ in }
    ) async throws(BenchFailure) -> FanoutResult {
        try await measure(connection, progress: progress).result
    }

    private func measure(
        _ connection: ConnectionFile,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> FanoutEvaluation.Outcome {
        let controls = options.controls ?? max(1, options.devices / 100)
        let ledger = DeliveryLedger(subscribers: options.devices)
        let sender: SenderClient
        do throws(SenderError) {
            sender = try SenderClient(connection)
        } catch {
            throw .sending(error)
        }
        let outcome: Result<FanoutEvaluation.Outcome, BenchFailure>
        do throws(BenchFailure) {
            let measured = try await Fleet.ramped(
                fleetConfiguration(connection, controls),
                patience: options.patience,
                progress: progress,
                onNotification: { device, notification, time in
                    ledger.record(device: device, notification, at: time)
                },
                body: { (fleet, ramp) async throws(BenchFailure) in
                    try await measure(fleet, ramp, ledger, sender, controls, connection, progress)
                }
            )
            outcome = .success(measured)
        } catch {
            outcome = .failure(error)
        }
        await sender.close()
        return try outcome.get()
    }

    private func fleetConfiguration(
        _ connection: ConnectionFile,
        _ controls: Int
    ) -> Fleet.Configuration {
        let (devices, tag, platform) = (options.devices, options.tag, options.platform)
        var configuration = Fleet.Configuration(
            connection: connection,
            count: devices + controls,
            seed: options.seed
        ) { number in
            [
                RegistrationChoice(
                    platform: platform,
                    tags: number < devices ? [tag, "device:\(number)"] : [tag + "-other"]
                )
            ]
        }
        configuration.loops = options.loops
        configuration.openingsMax = options.openingsMax
        configuration.restMilliseconds = options.restMilliseconds
        return configuration
    }

    private func measure(
        _ fleet: Fleet,
        _ ramp: Ramp,
        _ ledger: DeliveryLedger,
        _ sender: SenderClient,
        _ controls: Int,
        _ connection: ConnectionFile,
        _ progress: BenchProgress
    ) async throws(BenchFailure) -> FanoutEvaluation.Outcome {
        var payloads = PayloadMaker(
            platform: options.platform,
            bytes: options.payloadBytes,
            seed: options.seed
        )
        var warm: [SendRecord] = []
        for _ in 0..<options.warmup {
            warm += await burst(of: options.burst, &payloads, sender)
            await settle(warm, ledger)
        }
        if let failure = warm.last?.failure { throw .sending(failure) }
        // The acknowledgements of the warm-up are not those of the run.
        try? await Task.sleep(for: Self.quiet)
        let start = HubReading(connection.pid)
        let sends = await sendAll(&payloads, sender, ledger, progress)
        // The last acknowledgements belong to the run, and what comes twice may come late.
        try? await Task.sleep(for: Self.quiet)
        let end = HubReading(connection.pid)
        if let failure = sends.first?.failure, sends.allSatisfy({ $0.failure != nil }) {
            throw .sending(failure)
        }
        let evaluation = FanoutEvaluation(
            options: options,
            controls: controls,
            ledger: ledger,
            ramp: ramp,
            cpu: start.cpuMicroseconds(to: end)
        )
        return evaluation.outcome(sends, warm: warm, fleet: fleet.progress)
    }

    private func sendAll(
        _ payloads: inout PayloadMaker,
        _ sender: SenderClient,
        _ ledger: DeliveryLedger,
        _ progress: BenchProgress
    ) async -> [SendRecord] {
        var sends: [SendRecord] = []
        if let rate = options.rate, rate > 0 {
            sends = await sendPlanned(at: rate, &payloads, sender)
        } else {
            var told = MonotonicTime.now
            while sends.count < options.notifications {
                let count = min(options.burst, options.notifications - sends.count)
                let records = await burst(of: max(1, count), &payloads, sender)
                sends += records
                await settle(records, ledger)
                if options.gap > .zero { try? await Task.sleep(for: options.gap) }
                if MonotonicTime.now.since(told) > .seconds(1) {
                    told = .now
                    progress("sent \(sends.count), delivered \(ledger.total)")
                }
            }
        }
        await settle(sends, ledger)
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
            var records = await Self.send(bursts[number], sender)
            for index in records.indices { records[index].intendedAt = due }
            return records
        }.flatMap { $0 }
    }

    /// Sends some notifications at once.
    private func burst(
        of count: Int,
        _ payloads: inout PayloadMaker,
        _ sender: SenderClient
    ) async -> [SendRecord] {
        await Self.send(outgoing(count, &payloads), sender)
    }

    private func outgoing(
        _ count: Int,
        _ payloads: inout PayloadMaker
    ) -> [OutgoingNotification] {
        (0..<count).map { _ in
            .native(options.platform, body: payloads.next(), tags: options.tag)
        }
    }

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

    /// Waits until everybody has what was sent, or patience ends.
    private func settle(_ sends: [SendRecord], _ ledger: DeliveryLedger) async {
        let ids = sends.compactMap(\.id)
        let deadline = MonotonicTime.now + options.patience
        while !ledger.isComplete(ids), MonotonicTime.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }
}
