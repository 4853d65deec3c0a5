package import HubClient

/// Connects devices to a hub, sends notifications to one tag, and measures and verifies what
/// arrives.
package struct FanoutBenchmark: Sendable {
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

    /// What can stop a run before there is a result.
    package enum Failure: Error, Equatable, Sendable {
        /// A device or the reactor could not be set up.
        case setup(DeviceFault)
        /// The sender could not be set up, or every send failed.
        case sending(SenderError)
        /// Not all devices were connected and registered in time.
        case rampIncomplete(registered: Int, of: Int, firstFault: String?)
    }

    /// Told what is going on, in readable lines.
    package typealias Progress = @Sendable (String) -> Void

    /// Longer than any acknowledgement waits.
    private static let quiet: Duration = .milliseconds(400)

    private let connection: ConnectionFile
    private let options: Options
    private let progress: Progress

    /// A benchmark against a running hub.
    package init(
        _ connection: ConnectionFile,
        options: Options,
        progress: @escaping Progress = { _ in }
    ) {
        self.connection = connection
        self.options = options
        self.progress = progress
    }

    /// Readings of the hub's process.
    struct Reading {
        var at = MonotonicTime.now
        var cpu: UInt64?
        var bytes: Int?

        init(_ pid: Int32) {
            cpu = HubProcess.cpuNanoseconds(pid)
            bytes = HubProcess.residentBytes(pid)
        }
    }

    /// Runs it.
    ///
    /// - Returns: what was measured; look at `isExact`.
    /// - Throws: `Failure` when there is nothing to measure.
    package func run() async throws(Failure) -> FanoutResult {
        let controls = options.controls ?? max(1, options.devices / 100)
        let ledger = DeliveryLedger(subscribers: options.devices)
        let sender: SenderClient
        do throws(SenderError) {
            sender = try SenderClient(connection)
        } catch {
            throw .sending(error)
        }
        let before = Reading(connection.pid)
        let fleet: Fleet
        do throws(DeviceFault) {
            fleet = try Fleet(fleetConfiguration(controls)) { device, notification, time in
                ledger.record(device: device, notification, at: time)
            }
        } catch {
            await sender.close()
            throw .setup(error)
        }
        let outcome: Result<FanoutResult, Failure>
        do throws(Failure) {
            outcome = .success(try await measure(fleet, ledger, sender, controls, before))
        } catch {
            outcome = .failure(error)
        }
        await fleet.stop()
        await sender.close()
        return try outcome.get()
    }

    private func fleetConfiguration(_ controls: Int) -> Fleet.Configuration {
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
        _ ledger: DeliveryLedger,
        _ sender: SenderClient,
        _ controls: Int,
        _ before: Reading
    ) async throws(Failure) -> FanoutResult {
        try await ramp(fleet, options.devices + controls)
        let connected = Reading(connection.pid)
        progress("connected \(options.devices + controls) devices; waiting until the hub is idle")
        try? await Task.sleep(for: .milliseconds(1_000))
        let idle = Reading(connection.pid)

        var payloads = PayloadMaker(
            platform: options.platform,
            bytes: options.payloadBytes,
            seed: options.seed
        )
        var warm: [SendRecord] = []
        for _ in 0..<options.warmup {
            warm += await burst(of: 1, &payloads, sender)
            await settle(warm, ledger)
        }
        if let failure = warm.last?.failure { throw .sending(failure) }
        // The acknowledgements of the warm-up are not those of the run.
        try? await Task.sleep(for: Self.quiet)
        let start = Reading(connection.pid)
        let sends = await sendAll(&payloads, sender, ledger)
        // The last acknowledgements belong to the run, and what comes twice may come late.
        try? await Task.sleep(for: Self.quiet)
        let end = Reading(connection.pid)
        if let failure = sends.first?.failure, sends.allSatisfy({ $0.failure != nil }) {
            throw .sending(failure)
        }
        var evaluation = FanoutEvaluation(options: options, controls: controls, ledger: ledger)
        evaluation.ramp = (before, connected, idle)
        evaluation.run = (start, end)
        return evaluation.result(sends, warm: warm, fleet: fleet.progress)
    }

    /// Waits until every device is registered, telling how far it is.
    private func ramp(_ fleet: Fleet, _ count: Int) async throws(Failure) {
        var told = MonotonicTime.now
        let isComplete = await fleet.wait(upTo: options.patience) { now in
            if MonotonicTime.now.since(told) > .seconds(1) {
                told = .now
                progress("connecting: \(now.connected) connected, \(now.registered) registered")
            }
            return now.registered >= count
        }
        guard isComplete else {
            let now = fleet.progress
            throw .rampIncomplete(
                registered: now.registered,
                of: count,
                firstFault: now.firstFault
            )
        }
    }

    private func sendAll(
        _ payloads: inout PayloadMaker,
        _ sender: SenderClient,
        _ ledger: DeliveryLedger
    ) async -> [SendRecord] {
        var sends: [SendRecord] = []
        let start = MonotonicTime.now
        var told = start
        var bursts = 0
        while sends.count < options.notifications {
            let count = min(options.burst, options.notifications - sends.count)
            let records = await burst(of: max(1, count), &payloads, sender)
            sends += records
            bursts += 1
            if let rate = options.rate, rate > 0 {
                let due = start + .seconds(Double(bursts) / rate)
                try? await Task.sleep(for: due.since(.now))
            } else {
                await settle(records, ledger)
                if options.gap > .zero { try? await Task.sleep(for: options.gap) }
            }
            if MonotonicTime.now.since(told) > .seconds(1) {
                told = .now
                progress("sent \(sends.count), delivered \(ledger.total)")
            }
        }
        await settle(sends, ledger)
        progress("sent \(sends.count), delivered \(ledger.total)")
        return sends
    }

    /// Sends some notifications at once.
    private func burst(
        of count: Int,
        _ payloads: inout PayloadMaker,
        _ sender: SenderClient
    ) async -> [SendRecord] {
        let notifications = (0..<count).map { _ in
            OutgoingNotification.native(
                options.platform,
                body: payloads.next(),
                tags: options.tag
            )
        }
        return await withTaskGroup(of: SendRecord.self) { group in
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

extension FanoutBenchmark.Failure: CustomStringConvertible {
    /// One readable line.
    package var description: String {
        switch self {
        case .setup(let fault): fault.description
        case .sending(let error): "sending failed: \(error)"
        case .rampIncomplete(let registered, let count, let fault):
            "only \(registered) of \(count) devices were registered in time"
                + (fault.map { "; first fault: \($0)" } ?? "")
        }
    }
}

/// One send: when it began, when it was answered, and under which name devices receive it.
struct SendRecord: Sendable {
    let sentAt: MonotonicTime
    let answeredAt: MonotonicTime
    let id: NotificationIdentifier?
    let payloadBytes: Int
    let failure: SenderError?

    init(sending notification: OutgoingNotification, with sender: SenderClient) async {
        payloadBytes = notification.body.count
        sentAt = .now
        do throws(SenderError) {
            let sent = try await sender.send(notification)
            answeredAt = .now
            id = sent.identifier
            failure = sent.identifier == nil ? .answerMalformed(reason: "unknown id") : nil
        } catch {
            answeredAt = .now
            id = nil
            failure = error
        }
    }
}
