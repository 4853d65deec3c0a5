package import HubClient
import HubVocabulary

/// Many devices on a few threads of one process, without files and streams.
package final class Fleet: Sendable {
    /// How a fleet is made.
    package struct Configuration: Sendable {
        /// The hub.
        package var connection: ConnectionFile
        /// How many devices.
        package var count: Int
        /// Threads, each with its own reactor.
        package var loops = 2
        /// Connections being opened at once, on all threads together.
        package var openingsMax = 64
        /// Milliseconds each thread rests between looks at its connections; 0 is woken by them.
        package var restMilliseconds: UInt64 = 0
        /// Whether payloads are inflated; without, only their sizes are known.
        package var inflates = false
        /// Seconds between keep-alives at most, as devices ask for; nil leaves it to them.
        package var keepAliveSeconds: UInt16?
        /// Whether lost devices come back.
        package var reconnects = true
        /// Decides delays and tokens.
        package var seed: UInt64
        /// The registrations of each device, by its number.
        package var choices: @Sendable (Int) -> [RegistrationChoice]

        /// A fleet of devices that register what `choices` says.
        package init(
            connection: ConnectionFile,
            count: Int,
            seed: UInt64,
            choices: @escaping @Sendable (Int) -> [RegistrationChoice]
        ) {
            self.connection = connection
            self.count = count
            self.seed = seed
            self.choices = choices
        }
    }

    /// The fleet's size, hub and registrations.
    package let configuration: Configuration
    private let loops: [DeviceLoop]
    private let tallies: [FleetTally]

    /// Starts the threads and lets the devices connect.
    ///
    /// - Parameters:
    ///   - configuration: the fleet.
    ///   - onNotification: called on a loop's thread with the device's number for each delivery.
    /// - Throws: `.transport` when the host is unknown or the CA file cannot be used.
    package init(
        _ configuration: Configuration,
        onNotification: @escaping FleetTally.NotificationHook = { _, _, _ in }
    ) throws(DeviceFault) {
        self.configuration = configuration
        HubProcess.raiseOpenFileLimit(to: configuration.count + 1_024)
        var common = try DeviceLoop.Configuration(configuration.connection)
        let count = max(1, min(configuration.loops, configuration.count))
        common.openingsMax = max(1, configuration.openingsMax / count)
        common.reconnects = configuration.reconnects
        common.restMilliseconds = configuration.restMilliseconds
        var loops: [DeviceLoop] = []
        var tallies: [FleetTally] = []
        for number in 0..<count {
            let tally = FleetTally(first: number, stride: count, onNotification)
            tallies.append(tally)
            loops.append(try DeviceLoop(common, observer: tally, name: "fleet-\(number)"))
        }
        self.loops = loops
        self.tallies = tallies
        for number in 0..<count {
            let members = stride(from: number, to: configuration.count, by: count)
            loops[number].add(members.map { Self.setup($0, configuration) })
        }
    }

    /// The counts so far, all threads together.
    package var progress: FleetProgress {
        tallies.reduce(into: FleetProgress()) { $0.add($1.progress) }
    }

    /// Keep-alives that the hub answered so far.
    package var keepAlives: Int { tallies.reduce(0) { $0 + $1.keepAlives } }

    /// Notifications that the hub has announced as lost so far, as far as it knew their number.
    package var announcedLosses: Int { tallies.reduce(0) { $0 + $1.announcedLosses } }

    /// Waits until a condition holds; false when the time ran out first.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait at most.
    ///   - isReached: looked at every few milliseconds.
    /// - Returns: whether the condition holds.
    package func wait(
        upTo timeout: Duration,
        until isReached: (FleetProgress) -> Bool
    ) async -> Bool {
        let deadline = Instant.now + timeout
        while !isReached(progress) {
            guard Instant.now < deadline, !Task.isCancelled else { return false }
            // Cancellation is seen in the next round.
            try? await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    /// Lets every device leave and stay away until `comeBack`.
    package func leave() { for loop in loops { loop.leaveAll() } }

    /// Lets every device that is away come back at once.
    package func comeBack() { for loop in loops { loop.reconnectAll() } }

    /// Lets every device leave and ends the threads.
    package func stop() async {
        for loop in loops { loop.stop() }
        for tally in tallies { await tally.ended() }
    }

    private static func setup(_ number: Int, _ configuration: Configuration) -> DeviceSetup {
        var session = LinkSession.Configuration(hub: configuration.connection.hub)
        session.netType = 4
        session.inflates = configuration.inflates
        if let seconds = configuration.keepAliveSeconds {
            session.keepAliveLeast = min(session.keepAliveLeast, seconds)
            session.keepAliveMost = max(session.keepAliveLeast, seconds)
        }
        session.remembersEntries = false
        var setup = DeviceSetup(
            session: session,
            seed: configuration.seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        )
        for choice in configuration.choices(number) { setup.choose(choice) }
        return setup
    }
}
