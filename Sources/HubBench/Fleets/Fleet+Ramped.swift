import DeviceEmulator
import HubClient

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

    /// Waits until every device is registered, telling how far they are.
    func registered(
        _ count: Int,
        patience: Duration,
        progress: BenchProgress
    ) async throws(BenchFailure) {
        var told = MonotonicTime.now
        let isComplete = await wait(upTo: patience) { now in
            if MonotonicTime.now.since(told) > .seconds(1) {
                told = .now
                progress("connecting: \(now.connected) connected, \(now.registered) registered")
            }
            return now.registered >= count
        }
        guard !isComplete else { return }
        let now = self.progress
        throw .incomplete(
            what: "registered",
            count: now.registered,
            of: count,
            firstFault: now.firstFault
        )
    }
}
