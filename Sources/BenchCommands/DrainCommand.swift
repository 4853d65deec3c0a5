import ArgumentParser
import HubBench

/// `belfry bench drain`.
struct DrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain",
        abstract: "One device comes back to a backlog and stores and takes all of it.",
        usage: "belfry bench drain [<options>]",
        discussion: """
            The device registers and leaves, notifications are sent, and it comes back. It stores \
            each of them durably and takes each, on the disk of the temporary folder (TMPDIR). The \
            clock runs from its start until all that it took is noted.

            Examples:
              belfry bench drain
              belfry bench drain --notifications 5000 --store database --turns 3
            """
    )

    @Option(help: "Notifications that wait for the device.")
    var notifications = 10_000

    @Option(help: "About how many bytes a payload has.")
    var payload = 256

    @Option(help: "Where the device remembers: file or database.")
    var store = BenchStore.file

    @OptionGroup var hub: BenchedHub
    @OptionGroup var output: BenchOutput

    func validate() throws {
        // The hub keeps no more for a device that is away.
        try BenchLimit.require("--notifications", notifications, 1...10_000)
        try BenchLimit.require("--payload", payload, 64...8_000)
    }

    func run() async throws {
        let runner = BenchRunner(output: output, hub: hub.choice)
        var options = DrainBenchmark.Options()
        options.notifications = notifications
        options.payloadBytes = payload
        options.store = store
        options.seed = output.seed
        try runner.tell([try await runner.measure(DrainBenchmark(options: options))])
    }
}

extension BenchStore: ExpressibleByArgument {}
