import DeviceEmulator
import HubClient

/// A reading of the hub's process, to compare with a later one.
struct HubReading: Sendable {
    let at: MonotonicTime
    let cpu: UInt64?
    let bytes: Int?

    /// Reads the process now.
    init(_ pid: Int32) {
        at = .now
        cpu = HubProcess.cpuNanoseconds(pid)
        bytes = HubProcess.residentBytes(pid)
    }

    /// Microseconds of CPU, user and system of all threads, from this reading to a later one; nil
    /// when the process is gone.
    func cpuMicroseconds(to later: HubReading) -> Double? {
        guard let cpu, let last = later.cpu, last >= cpu else { return nil }
        return Double(last - cpu) / 1_000
    }

    /// By how many bytes the process's own memory has grown.
    func growth(to later: HubReading) -> Double? {
        guard let bytes, let last = later.bytes else { return nil }
        return Double(last - bytes)
    }

    /// Seconds from this reading to a later one.
    func seconds(to later: HubReading) -> Double {
        Double(later.at.since(at).wholeNanoseconds) / 1_000_000_000
    }
}

/// What it cost the hub to take so many devices.
struct Ramp: Sendable {
    let devices: Int
    let before: HubReading
    /// When the last device was registered.
    let connected: HubReading
    /// When the hub had come to rest.
    let idle: HubReading

    /// Adds what the devices' coming cost to a turn.
    func read(into turn: inout BenchTurn) {
        let count = Double(max(1, devices))
        turn.read(
            "handshake and subscribe",
            before.cpuMicroseconds(to: connected).map { $0 / count },
            "µs CPU",
            .less
        )
        turn.read(
            "memory per idle connection",
            before.growth(to: idle).map { $0 / count },
            "bytes",
            .less
        )
        turn.read("ramp", before.seconds(to: connected), "s", .neither)
    }
}

extension Fleet {
    /// Longer than any acknowledgement waits, and than what is released when nothing happens.
    static let restDuration: Duration = .milliseconds(1_000)

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
            try? await Task.sleep(for: restDuration)
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
