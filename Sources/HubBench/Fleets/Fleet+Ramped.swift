import DeviceEmulator
import HubClient
import HubVocabulary

extension Fleet {
    /// Longer than any acknowledgement waits, and than what is released when nothing happens.
    static let restDuration: Duration = .milliseconds(1_000)

    /// As many as are opened at once by default.
    private static let warmUpDevices = 64
    /// A tag that nothing is sent to.
    private static let warmUpTag = "belfry-bench-warm-up"

    /// Starts a fleet, waits until all of it is registered and the hub is at rest, and stops it
    /// when `body` has ended.
    static func ramped<Result>(
        _ configuration: Fleet.Configuration,
        patience: Duration,
        progress: @escaping BenchProgress,
        onNotification: @escaping FleetTally.NotificationHook,
        body: (Fleet, Ramp) async throws(BenchFailure) -> Result
    ) async throws(BenchFailure) -> Result {
        let pid = configuration.connection.pid
        try await warmUp(configuration, patience: patience)
        let before = HubReading(pid)
        let fleet: Fleet
        do throws(DeviceFault) {
            fleet = try Fleet(configuration, onNotification: onNotification)
        } catch {
            throw .setup(error)
        }
        do throws(BenchFailure) {
            try await fleet.registered(configuration.count, patience: patience, progress: progress)
            let connected = HubReading(pid)
            progress("\(configuration.count) devices are registered; waiting for an idle hub")
            await Pause.last(restDuration)
            let ramp = Ramp(
                devices: configuration.count,
                before: before,
                connected: connected,
                idle: HubReading(pid)
            )
            let result = try await body(fleet, ramp)
            await fleet.stop()
            return result
        } catch {
            await fleet.stop()
            throw error
        }
    }

    /// Lets a few devices come and go, so that what a hub needs once, whatever the number of its
    /// devices, is not counted as theirs.
    private static func warmUp(
        _ configuration: Fleet.Configuration,
        patience: Duration
    ) async throws(BenchFailure) {
        var few = Fleet.Configuration(
            connection: configuration.connection,
            count: warmUpDevices,
            seed: configuration.seed &+ 1
        ) { _ in [RegistrationChoice(platform: .gcm, tags: [warmUpTag])] }
        few.openingsMax = configuration.openingsMax
        do throws(DeviceFault) {
            let fleet = try Fleet(few)
            _ = await fleet.wait(upTo: patience) { $0.registered >= warmUpDevices }
            await fleet.stop()
        } catch {
            throw .setup(error)
        }
        await Pause.last(restDuration)
    }

    /// Lets every device leave and come back with the key that it has, and adds what that costs
    /// the hub to a turn.
    func comeBackOnce(
        patience: Duration,
        _ progress: BenchProgress,
        into turn: inout BenchTurn
    ) async throws(BenchFailure) {
        let count = configuration.count
        progress("\(count) devices leave and come back")
        leave()
        guard await wait(upTo: patience, until: { $0.connected == 0 }) else {
            throw absent("gone", count - self.progress.connected)
        }
        await Pause.last(Self.restDuration)
        let before = HubReading(configuration.connection.pid)
        comeBack()
        guard await wait(upTo: patience, until: { $0.connected >= count }) else {
            throw absent("back", self.progress.connected)
        }
        let after = HubReading(configuration.connection.pid)
        turn.read(
            "coming back with a key",
            before.cpuMicroseconds(to: after).map { $0 / Double(max(1, count)) },
            "µs CPU",
            .less
        )
    }

    /// Waits until every device is registered, telling how far they are.
    func registered(
        _ count: Int,
        patience: Duration,
        progress: BenchProgress
    ) async throws(BenchFailure) {
        var told = Instant.now
        let isComplete = await wait(upTo: patience) { now in
            if Instant.now.since(told) > .seconds(1) {
                told = .now
                progress("connecting: \(now.connected) connected, \(now.registered) registered")
            }
            return now.registered >= count
        }
        guard !isComplete else { return }
        throw absent("registered", self.progress.registered)
    }

    private func absent(_ what: String, _ count: Int) -> BenchFailure {
        .incomplete(
            what: what,
            count: count,
            of: configuration.count,
            firstFault: progress.firstFault
        )
    }
}
