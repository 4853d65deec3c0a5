import ArgumentParser
import CommandTerminal
import Foundation
import HubMetrics
import HubSender
import HubServer
import Logging

/// `belfry serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs a hub.",
        discussion: """
            The first start makes keys, certificates and stores in the folder, and a hub named \
            'hub'. When it listens it writes connection.json there. SIGTERM and SIGINT drain and \
            end it; SIGHUP, or 'belfry reload', reads certificate, limits and log level again.

            Every option can also be set in the environment (BELFRY_REST_PORT=8443) or in \
            FOLDER/belfry.json ({"rest": {"port": 8443}}); options go first, then the environment, \
            then the file.

            Examples:
              belfry serve --data ./data
              belfry serve --data ./data --rest-port 0 --device-port 0
              belfry serve --data /var/lib/belfry --rest-host 0.0.0.0 \\
                --device-host 0.0.0.0 --name push.example.net \\
                --certificate chain.pem --key key.pem --confirm-public-bind
              belfry serve --data ./data --database postgres://belfry@db/belfry
            """
    )

    @Option(help: "The folder for keys, certificates and stores.")
    var data: String

    @Option(help: "Address of the REST listener. (default: 127.0.0.1)")
    var restHost: String?

    @Option(help: "Port of the REST listener, 0 for a free one. (default: 8443)")
    var restPort: Int?

    @Option(help: "Address of the device listener. (default: 127.0.0.1)")
    var deviceHost: String?

    @Option(help: "Port of the device listener, 0 for a free one. (default: 9443)")
    var devicePort: Int?

    @Option(help: "Threads that serve devices, 0 for one per core. (default: 0)")
    var shards: Int?

    @Option(name: .customLong("name"), help: "A name under which clients know the server.")
    var names: [String] = []

    @Option(help: "Certificate chain (PEM) instead of the development authority's.")
    var certificate: String?

    @Option(help: "Its private key (PEM).")
    var key: String?

    @Option(help: "Authorities (PEM) whose client certificates prove devices.")
    var clientAuthorities: String?

    @Option(
        name: .customLong("jobs-url"),
        help: "An address at or below which bulk jobs may read and write; may be repeated."
    )
    var jobURLs: [String] = []

    @OptionGroup var choice: DatabaseChoice

    @Flag(help: "Allows a bind that other machines can reach.")
    var confirmPublicBind = false

    @Option(
        help: """
            How much is logged: trace, debug, info, notice, warning, error or critical. \
            (default: info)
            """
    )
    var logLevel: String?

    @Option(help: "How lines of the log are spelled: text or json. (default: text)")
    var logFormat: String?

    @Flag(help: .hidden)
    var untilStdinCloses = false

    func validate() throws {
        if let logLevel, Logger.Level(rawValue: logLevel) == nil {
            let levels = Logger.Level.allCases.map(\.rawValue)
            throw ValidationError.wrong(logLevel, kind: "log level", words: levels)
        }
        if let logFormat, LogFormat(rawValue: logFormat) == nil {
            let words = LogFormat.allCases.map(\.rawValue)
            throw ValidationError.wrong(logFormat, kind: "log format", words: words)
        }
        guard (0...256).contains(shards ?? 0) else {
            throw ValidationError("--shards must be 0 to 256.")
        }
        for (name, port) in [("--rest-port", restPort), ("--device-port", devicePort)] {
            guard let port, !(0...65_535).contains(port) else { continue }
            throw ValidationError("\(name) must be 0 to 65535.")
        }
    }

    func run() async throws {
        if untilStdinCloses { Signals.endWithParent() }
        do {
            let settings = try await ServerSettings.load(flags: flags, data: data)
            // The counters of libraries are published too.
            let metrics = MetricRegistry.ofProcess
            let level = LogLevel(settings.logLevel)
            let writer = LogWriter(settings.logFormat)
            defer { writer.flush() }
            let logger = Logger(label: "belfry") { _ in ServerLogHandler(writer, level: level) }
            var options = settings.options
            let (flags, data) = (flags, data)
            options.reloading = Reloading(level: level) {
                try await ServerSettings.load(flags: flags, data: data)
            }
            options.metrics = metrics
            try await BelfryNode.run(options, logger: logger) { text in
                Terminal.line("belfry: \(text)")
            } onReady: { description in
                Terminal.line(
                    "belfry: REST on https://\(description.rest.host):\(description.rest.port), "
                        + "devices on \(description.devices.host):\(description.devices.port)"
                )
            }
        } catch {
            throw Failure(error)
        }
    }

    /// The options of the command line, by configuration key.
    private var flags: [String: String] {
        var flags = choice.flags
        flags["rest.host"] = restHost
        flags["rest.port"] = restPort.map(String.init)
        flags["device.host"] = deviceHost
        flags["device.port"] = devicePort.map(String.init)
        flags["shards"] = shards.map(String.init)
        if !names.isEmpty { flags["names"] = names.joined(separator: ",") }
        flags["certificate"] = certificate
        flags["key"] = key
        flags["client.authorities"] = clientAuthorities
        if !jobURLs.isEmpty { flags["jobs.urls"] = jobURLs.joined(separator: ",") }
        if confirmPublicBind { flags["confirm.public.bind"] = "true" }
        flags["log.level"] = logLevel
        flags["log.format"] = logFormat
        return flags
    }
}
