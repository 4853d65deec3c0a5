package import HubTransport
import HubVocabulary

/// One thread with any number of devices on one reactor.
///
/// A fleet uses a few of these; `DeviceClient` is one with a single device. Commands may come from
/// any thread and are carried out in order.
package final class DeviceLoop: Sendable {
    /// The settings that all devices of a loop have in common.
    package struct Configuration: Sendable {
        /// Name or address of the device listener; the hub's certificate must be for it.
        package var host: String
        /// Its port.
        package var port: UInt16
        /// PEM file of the CA to trust; nil trusts the system's.
        package var caPath: String?
        /// Makes the Listen tokens of devices that have no identity; nil for devices that have.
        package var tokens: ListenTokens?
        /// Connections being opened at once; the others wait their turn.
        package var openingsMax = 64
        /// Connections at once.
        package var connectionsMax = 65_536
        /// Whether devices come back by themselves.
        package var reconnects = true
        /// Milliseconds the thread rests between looks at its connections; 0 is woken by them.
        package var restMilliseconds: UInt64 = 0
        /// Finds the addresses of a host and port; blocks.
        package var resolve: @Sendable (String, UInt16) throws(TransportError) -> [SocketAddress] =
            {
                host,
                port throws(TransportError) in
                try SocketAddress.resolve(host: host, port: port)
            }
        /// Nanoseconds that the machine has been suspended since it started.
        package var suspension: @Sendable () -> UInt64 = { Clock.suspension }

        /// A loop for the device listener at a host and port.
        package init(host: String, port: UInt16, caPath: String? = nil, tokens: ListenTokens? = nil)
        {
            self.host = host
            self.port = port
            self.caPath = caPath
            self.tokens = tokens
        }
    }

    /// Stored notifications that an app may leave untaken before its device asks the hub to pause.
    package static let untakenMax = 1_000

    /// Nanoseconds between two looks at what the host's name stands for.
    static let resolvePauseNanoseconds: UInt64 = 5_000_000_000

    private let mailbox: Mailbox<LoopCommand>

    /// Starts the thread.
    ///
    /// Resolving the host may take a moment. It is done again, on another thread, when no hub
    /// answers at its addresses.
    ///
    /// - Parameters:
    ///   - configuration: where and how to connect.
    ///   - observer: told of everything.
    ///   - name: shows in process lists.
    /// - Throws: `.transport` when the host is unknown or the CA file cannot be used.
    package init(
        _ configuration: Configuration,
        observer: any DeviceObserver,
        name: String = "devices"
    ) throws(DeviceFault) {
        do throws(TransportError) {
            let addresses = try configuration.resolve(configuration.host, configuration.port)
            guard !addresses.isEmpty else { throw .hostUnknown(configuration.host, code: 0) }
            let authorities: PEMFile?
            if let path = configuration.caPath {
                authorities = try PEMFile(reading: path)
            } else {
                authorities = nil
            }
            let tls = ClientTLS(authorities: authorities)
            // Made again on the thread that uses it; here it only shows what is wrong with it.
            _ = try TLSContext(client: tls)
            let mailbox = try Mailbox<LoopCommand>(capacity: 1_048_576)
            self.mailbox = mailbox
            let thread = try ReactorThread(name: name) {
                Self.run(configuration, addresses, tls, mailbox, observer)
            }
            // `loopEnded` is its end; no thread joins it.
            thread.detach()
        } catch {
            throw .transport(error.description)
        }
    }

    private static func run(
        _ configuration: Configuration,
        _ addresses: [SocketAddress],
        _ tls: ClientTLS,
        _ mailbox: Mailbox<LoopCommand>,
        _ observer: any DeviceObserver
    ) {
        var limits = TransportLimits.standard
        limits.connections = configuration.connectionsMax
        limits.timers.restMilliseconds = configuration.restMilliseconds
        do throws(TransportError) {
            let context = try TLSContext(client: tls)
            let reactor = try Reactor(
                ReactorConfiguration(limits: limits),
                mailbox: mailbox
            ) { connections in
                DeviceLoopHandler(
                    configuration,
                    addresses,
                    context,
                    connections,
                    mailbox,
                    observer
                )
            }
            reactor.run()
        } catch {
            observer.device(0, did: .fault(.transport(error.description)), at: .now)
        }
        observer.loopEnded()
    }

    /// Adds devices, which connect as their turn comes; indices go on from those before.
    package func add(_ devices: [DeviceSetup]) { post(.add(devices)) }

    /// Registers a slot of a device.
    package func register(_ choice: RegistrationChoice, device: Int = 0) {
        post(.register(device, choice))
    }

    /// Adds and removes tags of a slot of a device.
    package func patchTags(slot: UInt16, add: [String], remove: [String], device: Int = 0) {
        post(.patchTags(device, slot: slot, add: add, remove: remove))
    }

    /// Gives up a slot of a device.
    package func unregister(slot: UInt16, device: Int = 0) {
        post(.unregister(device, slot: slot))
    }

    /// Reports what the user did with a notification.
    package func report(_ report: UserReport, device: Int = 0) { post(.report(device, report)) }

    /// Forgets stored notifications up to a number: the app has dealt with them.
    package func markTaken(through number: UInt64, device: Int = 0) {
        post(.taken(device, through: number))
    }

    /// Leaves and comes back, as after a change of network; also wakes a device that stays away.
    package func reconnect(device: Int = 0) { post(.reconnect(device)) }

    /// Lets every device leave with BYE and stay away until `reconnectAll`.
    package func leaveAll() { post(.leaveAll) }

    /// Lets every device that is away come back at once.
    package func reconnectAll() { post(.reconnectAll) }

    /// Lets every device leave with BYE and ends the loop; `loopEnded` follows.
    package func stop() { post(.stop) }

    private func post(_ command: LoopCommand) {
        // A loop that has ended needs no commands, and a million waiting ones are refused.
        _ = mailbox.post(command)
    }
}
