import Histogram
package import HubClient
import Synchronization

/// Lets devices leave, makes a backlog for them, starts the hub again, and lets them all come back
/// at once; measures and verifies what happens.
package struct StormBenchmark: Sendable {
    /// What is done.
    package struct Options: Equatable, Sendable {
        /// Devices.
        package var devices = 1_000
        /// Notifications made while they are away: one in ten for everybody, three in ten for a
        /// sixteenth of them, the rest for nobody.
        package var backlog = 500
        /// About how many bytes a payload has.
        package var payloadBytes = 256
        /// Connections being opened at once by the devices; nil opens all at once.
        package var openingsMax: Int?
        /// Threads of the load generator for devices.
        package var loops = 2
        /// How long to wait for all devices, and for all deliveries.
        package var patience: Duration = .seconds(300)
        /// Decides payloads and device tokens.
        package var seed: UInt64 = 1

        /// The defaults.
        package init() {}
    }

    /// What can stop a run before there is a result.
    package enum Failure: Error, Equatable, Sendable {
        /// A device or the reactor could not be set up.
        case setup(DeviceFault)
        /// The sender could not be set up, or a send of the backlog failed.
        case sending(SenderError)
        /// Not all devices were registered, or gone again, in time.
        case incomplete(what: String, count: Int, of: Int, firstFault: String?)
        /// The hub could not be started again.
        case restart(String)
    }

    /// Ends the hub at once and starts it again on the same ports.
    package typealias Restart = @Sendable () async throws -> ConnectionFile

    private static let groups = 16
    private static let platform = DevicePlatform.gcm
    private static let tag = "storm"

    private let connection: ConnectionFile
    private let options: Options
    private let restart: Restart
    private let progress: FanoutBenchmark.Progress

    /// A benchmark against a running hub.
    package init(
        _ connection: ConnectionFile,
        options: Options,
        restart: @escaping Restart,
        progress: @escaping FanoutBenchmark.Progress = { _ in }
    ) {
        self.connection = connection
        self.options = options
        self.restart = restart
        self.progress = progress
    }

    /// Runs it.
    ///
    /// - Returns: what was measured; look at `isExact`.
    /// - Throws: `Failure` when there is nothing to measure.
    package func run() async throws(Failure) -> StormResult {
        let ledger = StormLedger(devices: options.devices, groups: Self.groups)
        let fleet: Fleet
        do throws(DeviceFault) {
            fleet = try Fleet(fleetConfiguration) { device, notification, _ in
                ledger.record(device: device, notification)
            }
        } catch {
            throw .setup(error)
        }
        let outcome: Result<StormResult, Failure>
        do throws(Failure) {
            outcome = .success(try await measure(fleet, ledger))
        } catch {
            outcome = .failure(error)
        }
        await fleet.stop()
        return try outcome.get()
    }

    private var fleetConfiguration: Fleet.Configuration {
        var configuration = Fleet.Configuration(
            connection: connection,
            count: options.devices,
            seed: options.seed
        ) { number in
            let tags = [Self.tag, "\(Self.tag)-\(number % Self.groups)"]
            return [RegistrationChoice(platform: Self.platform, tags: tags)]
        }
        configuration.loops = options.loops
        configuration.openingsMax = options.openingsMax ?? options.devices
        return configuration
    }

    private func measure(
        _ fleet: Fleet,
        _ ledger: StormLedger
    ) async throws(Failure) -> StormResult {
        let count = options.devices
        try await reach("registered", fleet) { $0.registered >= count }
        fleet.leave()
        try await reach("gone", fleet) { $0.connected == 0 }
        progress("\(count) devices have registered and left")
        var payloads = PayloadMaker(
            platform: Self.platform,
            bytes: options.payloadBytes,
            seed: options.seed
        )
        try await sendBacklog(&payloads, ledger)

        let begun = MonotonicTime.now
        let again: ConnectionFile
        do {
            again = try await restart()
        } catch {
            throw .restart("\(error)")
        }
        var result = emptyResult
        result.listening = Self.seconds(since: begun)
        result.bytesBefore = HubProcess.residentBytes(again.pid)
        progress("the hub is back; all devices come at once")
        try await storm(fleet, ledger, again, &payloads, &result)
        return result
    }

    /// Everybody comes back; sends go on meanwhile.
    private func storm(
        _ fleet: Fleet,
        _ ledger: StormLedger,
        _ hub: ConnectionFile,
        _ payloads: inout PayloadMaker,
        _ result: inout StormResult
    ) async throws(Failure) {
        let before = fleet.progress
        let cpu = HubProcess.cpuNanoseconds(hub.pid)
        let body = payloads.next()
        let meter = StormMeter(hub: hub.pid)
        let sending = Task { await meter.send(body, platform: Self.platform, hub) }
        let watching = Task { await meter.watch() }
        let begun = MonotonicTime.now
        fleet.comeBack()
        let count = options.devices
        let isConnected = await fleet.wait(upTo: options.patience) { $0.connected >= count }
        result.connected = Self.seconds(since: begun)
        progress("\(fleet.progress.connected) of \(count) devices are connected")
        let backlog = ledger.expected
        _ = await fleet.wait(upTo: options.patience) { _ in ledger.sums.delivered >= backlog }
        result.caughtUp = Self.seconds(since: begun)
        progress("\(ledger.sums.delivered) of \(backlog) deliveries")
        meter.stop()
        await sending.value
        await watching.value
        if isConnected { try await sendLast(payloads.next(), fleet, ledger, hub) }
        let cpuAfter = HubProcess.cpuNanoseconds(hub.pid)
        result.cpu = cpu.flatMap { first in
            cpuAfter.map { Double($0 - first) / 1_000_000_000 }
        }
        meter.report(into: &result)
        let (sums, after) = (ledger.sums, fleet.progress)
        result.expected = ledger.expected
        result.perDevice = Double(backlog) / Double(count)
        result.delivered = sums.delivered
        result.lost = result.expected - sums.delivered
        result.duplicated = sums.duplicated
        result.misrouted = sums.misrouted
        result.outOfOrder = sums.outOfOrder
        result.gaps = after.gaps
        result.disconnected = after.disconnected - before.disconnected
        result.firstFault = after.faults > before.faults ? after.firstFault : nil
    }

    /// One more for everybody: it comes last, so what would come twice has come.
    private func sendLast(
        _ body: [UInt8],
        _ fleet: Fleet,
        _ ledger: StormLedger,
        _ hub: ConnectionFile
    ) async throws(Failure) {
        do throws(SenderError) {
            let sender = try SenderClient(hub)
            let sent = try await sender.send(.native(Self.platform, body: body, tags: Self.tag))
            if let id = sent.identifier { ledger.accept(id, for: .everybody) }
            await sender.close()
        } catch {
            throw .sending(error)
        }
        let expected = ledger.expected
        _ = await fleet.wait(upTo: options.patience) { _ in ledger.sums.delivered >= expected }
    }

    private func sendBacklog(
        _ payloads: inout PayloadMaker,
        _ ledger: StormLedger
    ) async throws(Failure) {
        do throws(SenderError) {
            let sender = try SenderClient(connection)
            var number = 0
            while number < options.backlog {
                let batch = (number..<min(number + 64, options.backlog)).map { number in
                    (Self.audience(number), payloads.next())
                }
                for (audience, id) in try await Self.send(batch, sender) {
                    ledger.accept(id, for: audience)
                }
                number += batch.count
                progress("\(number) of \(options.backlog) notifications for later")
            }
            await sender.close()
        } catch {
            throw .sending(error)
        }
    }

    private static func send(
        _ batch: [(StormLedger.Audience, [UInt8])],
        _ sender: SenderClient
    ) async throws(SenderError) -> [(StormLedger.Audience, NotificationIdentifier)] {
        let outcomes = await withTaskGroup(
            of: Result<(StormLedger.Audience, NotificationIdentifier), SenderError>.self
        ) { group in
            for (audience, body) in batch {
                group.addTask {
                    do throws(SenderError) {
                        let sent = try await sender.send(
                            .native(Self.platform, body: body, tags: Self.tags(audience))
                        )
                        guard let id = sent.identifier else {
                            return .failure(.answerMalformed(reason: "unknown id"))
                        }
                        return .success((audience, id))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var outcomes: [Result<(StormLedger.Audience, NotificationIdentifier), SenderError>] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        return try outcomes.map { outcome throws(SenderError) in try outcome.get() }
    }

    private static func audience(_ number: Int) -> StormLedger.Audience {
        switch number % 10 {
        case 0: .everybody
        case 1, 4, 7: .group(number / 10 % groups)
        default: .nobody
        }
    }

    private static func tags(_ audience: StormLedger.Audience) -> String {
        switch audience {
        case .everybody: tag
        case .group(let group): "\(tag)-\(group)"
        case .nobody: "\(tag)-nobody"
        }
    }

    private func reach(
        _ what: String,
        _ fleet: Fleet,
        _ isReached: (FleetProgress) -> Bool
    ) async throws(Failure) {
        guard await !fleet.wait(upTo: options.patience, until: isReached) else { return }
        let now = fleet.progress
        throw .incomplete(
            what: what,
            count: now.registered,
            of: options.devices,
            firstFault: now.firstFault
        )
    }

    private static func seconds(since time: MonotonicTime) -> Double {
        Double(MonotonicTime.now.since(time).wholeNanoseconds) / 1_000_000_000
    }

    private var emptyResult: StormResult {
        StormResult(
            devices: options.devices,
            backlog: options.backlog,
            perDevice: 0,
            expected: 0,
            delivered: 0,
            lost: 0,
            duplicated: 0,
            misrouted: 0,
            outOfOrder: 0,
            gaps: 0,
            disconnected: 0,
            listening: 0,
            connected: 0,
            caughtUp: 0,
            sends: 0,
            sendsFailed: 0,
            sendP50: 0,
            sendP99: 0,
            sendMax: 0
        )
    }
}

extension StormBenchmark.Failure: CustomStringConvertible {
    /// One readable line.
    package var description: String {
        switch self {
        case .setup(let fault): fault.description
        case .sending(let error): "sending failed: \(error)"
        case .incomplete(let what, let count, let all, let fault):
            "not all of \(all) devices were \(what) in time, \(count) had registered"
                + (fault.map { "; first fault: \($0)" } ?? "")
        case .restart(let reason): "the hub could not be started again: \(reason)"
        }
    }
}

/// Sends to nobody while the storm lasts, and looks at the hub's memory.
private final class StormMeter: Sendable {
    private struct Readings {
        // Nanoseconds up to an hour, three digits.
        var latency = Histogram<UInt64>(highestTrackableValue: 3_600_000_000_000)
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
                // Values above the range are hours.
                _ = readings.latency.record(elapsed)
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
            func milliseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1_000_000 }
            result.sends = readings.sends
            result.sendsFailed = readings.failed
            result.sendP50 = milliseconds(readings.latency.valueAtPercentile(50))
            result.sendP99 = milliseconds(readings.latency.valueAtPercentile(99))
            result.sendMax = milliseconds(readings.latency.max)
            result.bytesPeak = readings.bytesPeak
        }
    }
}
