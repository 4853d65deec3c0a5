import DeviceEmulator
import HubClient
import HubSender
import HubVocabulary

/// Lets devices leave, makes a backlog for them, starts the hub again, and lets them all come back
/// at once; measures and verifies what happens.
package struct StormBenchmark: BenchScenario {
    /// The settings of a run.
    package struct Options: Equatable, Sendable {
        /// Devices.
        package var devices = 1_000
        /// Notifications made while they are away: one in ten for all devices, three in ten for a
        /// sixteenth of them, the rest for none.
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

    private static let groups = 16
    private static let tag = "storm"

    /// `storm`.
    package let name = "storm"
    private let options: Options

    /// A benchmark of a hub that has no other clients.
    package init(options: Options) { self.options = options }

    /// The settings, by the option's name.
    package var settings: [String: String] {
        var settings = [
            "devices": "\(options.devices)", "backlog": "\(options.backlog)",
            "payload": "\(options.payloadBytes)", "loops": "\(options.loops)",
            "seed": "\(options.seed)",
        ]
        settings["openings"] = options.openingsMax.map { "\($0)" }
        return settings
    }

    /// Measures once.
    package func turn(
        _ hub: any BenchHub,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let ledger = StormLedger(devices: options.devices, groups: Self.groups)
        let fleet: Fleet
        do throws(DeviceFault) {
            fleet = try Fleet(fleetConfiguration(hub.connection)) { device, notification, _ in
                ledger.record(device: device, notification)
            }
        } catch {
            throw .setup(error)
        }
        let outcome: Result<BenchTurn, BenchFailure>
        do throws(BenchFailure) {
            outcome = .success(try await measure(fleet, ledger, hub, progress))
        } catch {
            outcome = .failure(error)
        }
        await fleet.stop()
        return try outcome.get()
    }

    private func fleetConfiguration(_ connection: ConnectionFile) -> Fleet.Configuration {
        var configuration = Fleet.Configuration(
            connection: connection,
            count: options.devices,
            seed: options.seed
        ) { number in
            let tags = [Self.tag, "\(Self.tag)-\(number % Self.groups)"]
            return [RegistrationChoice(platform: .gcm, tags: tags)]
        }
        configuration.loops = options.loops
        configuration.openingsMax = options.openingsMax ?? options.devices
        return configuration
    }

    private func measure(
        _ fleet: Fleet,
        _ ledger: StormLedger,
        _ hub: any BenchHub,
        _ progress: BenchProgress
    ) async throws(BenchFailure) -> BenchTurn {
        let count = options.devices
        try await reach("registered", fleet) { $0.registered >= count }
        fleet.leave()
        try await reach("gone", fleet) { $0.connected == 0 }
        progress("\(count) devices have registered and left")
        var payloads = PayloadMaker(bytes: options.payloadBytes, seed: options.seed)
        try await sendBacklog(&payloads, ledger, hub.connection, progress)

        let begun = Instant.now
        let again = try await hub.restarted()
        var turn = BenchTurn()
        turn.read("hub listening", Self.seconds(since: begun), "s", .less)
        let bytes = HubProcess.residentBytes(again.pid)
        turn.read("hub memory before", bytes.map(Double.init), "bytes", .neither)
        progress("the hub is back; all devices come at once")
        try await storm(fleet, ledger, again, progress, &payloads, &turn)
        return turn
    }

    /// All devices come back; sends go on meanwhile.
    private func storm(
        _ fleet: Fleet,
        _ ledger: StormLedger,
        _ hub: ConnectionFile,
        _ progress: BenchProgress,
        _ payloads: inout PayloadMaker,
        _ turn: inout BenchTurn
    ) async throws(BenchFailure) {
        let before = fleet.progress
        let start = HubReading(hub.pid)
        let body = payloads.next()
        let meter = StormMeter(hub: hub.pid)
        let sending = Task { await meter.send(body, hub) }
        let watching = Task { await meter.watch() }
        let begun = Instant.now
        fleet.comeBack()
        let count = options.devices
        let isConnected = await fleet.wait(upTo: options.patience) { $0.connected >= count }
        turn.read("all connected", Self.seconds(since: begun), "s", .less)
        progress("\(fleet.progress.connected) of \(count) devices are connected")
        let backlog = ledger.expected
        _ = await fleet.wait(upTo: options.patience) { _ in ledger.sums.delivered >= backlog }
        turn.read("all caught up", Self.seconds(since: begun), "s", .less)
        progress("\(ledger.sums.delivered) of \(backlog) deliveries")
        meter.stop()
        await sending.value
        await watching.value
        if isConnected { try await sendLast(payloads.next(), fleet, ledger, hub) }
        let cpu = start.cpuMicroseconds(to: HubReading(hub.pid))
        turn.read("hub CPU", cpu.map { $0 / 1_000_000 }, "s", .less)
        meter.report(into: &turn)
        turn.read("backlog for each device", Double(backlog) / Double(count), "", .neither)
        ledger.report(into: &turn)
        let after = fleet.progress
        let lost = after.disconnected - before.disconnected
        turn.read("connections lost", Double(lost), "", .neither)
        if after.gaps > 0 { turn.faults.append("\(after.gaps) losses were announced") }
        if !turn.counts.isExact, let fault = after.firstFault { turn.faults.append(fault) }
    }

    /// One more for all devices: it comes last, behind all that would come twice.
    private func sendLast(
        _ body: [UInt8],
        _ fleet: Fleet,
        _ ledger: StormLedger,
        _ hub: ConnectionFile
    ) async throws(BenchFailure) {
        do throws(SenderError) {
            let sender = try SenderClient(hub)
            let sent = try await sender.send(.native(.gcm, body: body, tags: Self.tag))
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
        _ ledger: StormLedger,
        _ connection: ConnectionFile,
        _ progress: BenchProgress
    ) async throws(BenchFailure) {
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
                            .native(.gcm, body: body, tags: Self.tags(audience))
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
    ) async throws(BenchFailure) {
        guard await !fleet.wait(upTo: options.patience, until: isReached) else { return }
        let now = fleet.progress
        throw .incomplete(
            what: what,
            count: now.registered,
            of: options.devices,
            firstFault: now.firstFault
        )
    }

    private static func seconds(since time: Instant) -> Double {
        Double(Instant.now.since(time).wholeNanoseconds) / 1_000_000_000
    }
}
