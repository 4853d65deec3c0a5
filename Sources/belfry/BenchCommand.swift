import ArgumentParser
import DeviceEmulator
import Foundation
import HubClient

/// `belfry bench`.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures a hub, and verifies while it measures.",
        discussion: """
            Examples:
              belfry bench fanout --devices 1000
              belfry bench storm --devices 1000
              belfry help bench fanout
            """,
        subcommands: [FanoutCommand.self, StormCommand.self]
    )
}

/// `belfry bench fanout`.
struct FanoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fanout",
        abstract: "Connects devices, sends to one tag, measures what arrives.",
        discussion: """
            Starts a hub in a process of its own unless --data names a running one. Lost, \
            duplicated and misrouted deliveries are part of the result and make it fail. CPU per \
            delivery is that of the hub's whole process, REST and store included.

            Examples:
              belfry bench fanout --devices 1000
              belfry bench fanout --devices 10000 --notifications 20 --gap 100 --json
              belfry bench fanout --devices 2000 --burst 64 --notifications 640
            """
    )

    @Option(help: "The data folder of a running hub; without it one is started.")
    var data: String?

    @Option(help: "Devices that subscribe to the tag.")
    var devices = 1_000

    @Option(help: "Notifications to measure.")
    var notifications = 20

    @Option(help: "Notifications sent at once.")
    var burst = 1

    @Option(help: "About how many bytes a payload has.")
    var payload = 256

    @Option(help: "The tag.")
    var tag = "bench"

    @Option(help: "Bursts a second, whether the last one has arrived or not.")
    var rate: Double?

    @Option(help: "Milliseconds between bursts.")
    var gap = 0

    @Option(help: "Notifications before the measured ones.")
    var warmup = 3

    @Option(help: "Device threads of the hub that is started, 0 for one per core.")
    var shards = 0

    @Option(help: "CPUs that the hub is pinned to, as taskset takes them.")
    var serverCpus: String?

    @Option(help: "Threads that play devices.")
    var loops = 2

    @Option(
        help: ArgumentHelp(
            "Milliseconds the devices' threads rest between looks at their sockets: the hub then "
                + "does not pay for waking them, and latencies mean nothing."
        )
    )
    var rest: UInt64 = 0

    @Option(help: "Decides payloads.")
    var seed: UInt64 = 1

    @Flag(help: "Prints the result as JSON.")
    var json = false

    func validate() throws {
        guard (1...65_000).contains(devices) else {
            throw ValidationError("--devices must be 1 to 65000.")
        }
        guard notifications > 0, burst > 0, notifications % burst == 0 else {
            throw ValidationError("--notifications must be a multiple of --burst.")
        }
        guard (64...8_000).contains(payload) else {
            throw ValidationError("--payload must be 64 to 8000.")
        }
    }

    func run() async throws {
        var hub: ChildHub?
        let connection: ConnectionFile
        if let data {
            do throws(ConnectionFileError) {
                connection = try ConnectionFile(dataFolder: data)
            } catch {
                throw Failure(error)
            }
        } else {
            let child = try ChildHub(shards: shards, cpus: serverCpus)
            hub = child
            connection = child.connection
        }
        defer { hub?.stop() }
        let result: FanoutResult
        do throws(FanoutBenchmark.Failure) {
            let progress = SparseNotes()
            result = try await FanoutBenchmark(connection, options: options) { line in
                progress.note(line)
            }.run()
        } catch {
            throw Failure(error)
        }
        if json {
            try Terminal.json(result)
        } else {
            Terminal.line(result.text)
        }
        if !result.isExact { throw Failure("deliveries were lost, duplicated or misrouted") }
    }

    private var options: FanoutBenchmark.Options {
        var options = FanoutBenchmark.Options()
        options.devices = devices
        options.notifications = notifications
        options.burst = burst
        options.payloadBytes = payload
        options.tag = tag
        options.rate = rate
        options.gap = .milliseconds(gap)
        options.warmup = warmup
        options.loops = loops
        options.restMilliseconds = rest
        options.seed = seed
        return options
    }
}
