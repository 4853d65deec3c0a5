import ArgumentParser
import CommandTerminal
import DeviceEmulator
import HubClient

/// `belfry fleet`.
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Thousands of devices in one process.",
        usage: "belfry fleet --data <data> --count <count> [<options>]",
        discussion: """
            Each device registers natively with the tags given and stays connected until the \
            command is ended (Ctrl-C) or --seconds have passed.

            Examples:
              belfry fleet --data ./data --count 1000 --tag World
              belfry fleet --data ./data --count 5000 --tag World --platform gcm \\
                --seconds 60 --json
            """
    )

    @Option(help: "The data folder of a running hub (reads its connection.json).")
    var data: String

    @Option(help: "How many devices.")
    var count: Int

    @Option(name: .customLong("tag"), help: "A tag of every device; may be given several times.")
    var tags: [String] = []

    @Option(help: "apple, gcm, fcm, wns, mpns, adm, baidu, browser or xiaomi.")
    var platform = "apple"

    @Option(help: "Ends after so many seconds.")
    var seconds: Int?

    @Option(help: "Decides delays; the same seed, the same delays.")
    var seed: UInt64 = 1

    @Flag(help: "Prints progress as JSON, one object a line.")
    var json = false

    func validate() throws {
        guard (1...65_536).contains(count) else {
            throw ValidationError("--count must be 1 to 65536.")
        }
        _ = try Platform.read(platform)
    }

    func run() async throws {
        let platform = try Platform.read(platform)
        let tags = tags
        let configuration = Fleet.Configuration(
            connection: try Connecting.file(data),
            count: count,
            seed: seed
        ) { _ in [RegistrationChoice(platform: platform, tags: tags)] }
        let fleet = try Failure.told { try Fleet(configuration) }
        let limit = seconds.map { Duration.seconds($0) } ?? .seconds(86_400 * 365)
        try await Signals.cancelling { [json] in
            await Self.watch(fleet, limit: limit, json: json)
        }
        await fleet.stop()
        Self.show(fleet.progress, json: json)
        let end = fleet.progress
        if end.faults > 0 { throw Failure(end.firstFault ?? "devices reported faults") }
    }

    private static func watch(_ fleet: Fleet, limit: Duration, json: Bool) async {
        var last = FleetProgress()
        let end = ContinuousClock.now + limit
        while !Task.isCancelled, ContinuousClock.now < end {
            let progress = fleet.progress
            if progress != last {
                last = progress
                if json {
                    Terminal.line(json: progress)
                } else {
                    Terminal.progress(text(progress))
                }
            }
            // Cancellation is seen at once by the condition above.
            try? await Task.sleep(for: .milliseconds(250))
        }
        Terminal.progress("")
    }

    private static func text(_ progress: FleetProgress) -> String {
        "connected \(progress.connected), registered \(progress.registered), "
            + "received \(progress.received), lost connections \(progress.disconnected), "
            + "gaps \(progress.gaps), faults \(progress.faults)"
    }

    private static func show(_ progress: FleetProgress, json: Bool) {
        if json { Terminal.line(json: progress) } else { Terminal.line(text(progress)) }
    }
}
