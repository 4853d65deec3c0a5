import ArgumentParser
import DeviceEmulator
import Foundation
import HubClient

/// `belfry bench storm`.
struct StormCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storm",
        abstract: "All devices come back at once to a hub that was just started.",
        discussion: """
            Starts a hub in a process of its own, registers devices and lets them leave, sends what \
            they will have missed, kills the hub and starts it again, and lets all devices come \
            back at once. Lost, duplicated, misrouted and reordered deliveries are part of the \
            result and make it fail. Meanwhile sends go on over REST, and their latency is measured.

            Examples:
              belfry bench storm --devices 1000
              belfry bench storm --devices 10000 --backlog 2000 --json
            """
    )

    @Option(help: "Devices.")
    var devices = 1_000

    @Option(help: "Notifications while they are away: a tenth for all, most for nobody.")
    var backlog = 500

    @Option(help: "About how many bytes a payload has.")
    var payload = 256

    @Option(help: "Connections that devices open at once; without it all.")
    var openings: Int?

    @Option(help: "Device threads of the hub that is started, 0 for one per core.")
    var shards = 0

    @Option(help: "Threads that play devices.")
    var loops = 2

    @Option(help: "Seconds to wait for all devices, and for all deliveries.")
    var patience = 300

    @Option(help: "Decides payloads.")
    var seed: UInt64 = 1

    @Flag(help: "Prints the result as JSON.")
    var json = false

    func validate() throws {
        guard (1...65_000).contains(devices) else {
            throw ValidationError("--devices must be 1 to 65000.")
        }
        guard (1...1_000_000).contains(backlog) else {
            throw ValidationError("--backlog must be 1 to 1000000.")
        }
        guard (64...8_000).contains(payload) else {
            throw ValidationError("--payload must be 64 to 8000.")
        }
        guard openings.map({ $0 > 0 }) != false else {
            throw ValidationError("--openings must be at least 1.")
        }
    }

    func run() async throws {
        let hub = try ChildHub(shards: shards)
        defer { hub.stop() }
        let notes = SparseNotes()
        let result: StormResult
        do throws(StormBenchmark.Failure) {
            result = try await StormBenchmark(
                hub.connection,
                options: options,
                restart: { try hub.restart() },
                progress: { notes.note($0) }
            ).run()
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

    private var options: StormBenchmark.Options {
        var options = StormBenchmark.Options()
        options.devices = devices
        options.backlog = backlog
        options.payloadBytes = payload
        options.openingsMax = openings
        options.loops = loops
        options.patience = .seconds(patience)
        options.seed = seed
        return options
    }
}
