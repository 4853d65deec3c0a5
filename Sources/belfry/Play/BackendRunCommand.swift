import AppBackend
import ArgumentParser
import CommandTerminal
import DeviceEmulator
import Foundation
import HubSender
import Logging

/// `belfry backend run`, which is what `belfry backend` does.
struct BackendRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the app backend beside a hub on this machine.",
        usage: "belfry backend run --data <data> [<options>]",
        discussion: """
            Serves HTTPS with the hub's certificate; when it listens it writes backend.json in its \
            folder. The key of secure payloads is in a file beside the folder (FOLDER.key), or in \
            BELFRY_BACKEND_KEY as 64 hexadecimal digits. SIGTERM and SIGINT end it.

            Examples:
              belfry backend --data ./data
              belfry backend --data ./data --backend-data ./app --port 0
            """
    )

    @OptionGroup var place: BackendPlace

    @Option(help: "The port, 0 for a free one.")
    var port = 8_444

    @Option(help: "A file for the key of secure payloads, outside of the backend's folder.")
    var keyFile: String?

    @Option(help: "Certificate chain (PEM) instead of the hub's.")
    var certificate: String?

    @Option(help: "Its private key (PEM).")
    var key: String?

    @Flag(help: .hidden)
    var showRequests = false

    @Flag(help: .hidden)
    var untilStdinCloses = false

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be 0 to 65535.")
        }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("Give both --certificate and --key.")
        }
    }

    func run() async throws {
        if untilStdinCloses { Signals.endWithParent() }
        var options = place.options
        options.port = port
        if let keyFile { options.keyFile = keyFile }
        if let certificate, let key {
            options.certificateFile = certificate
            options.certificateKeyFile = key
        }
        var logger = Logger(label: "backend") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        var observer: (@Sendable (SentRequest) -> Void)?
        if showRequests { observer = { request in Terminal.line(RequestLine(request).json) } }
        do {
            let server = try BackendServer(
                options,
                environment: ProcessInfo.processInfo.environment,
                logger: logger,
                onRequest: observer
            )
            try await server.run { description in
                Terminal.line(
                    "belfry backend: https://\(description.host):\(description.port)"
                )
            }
        } catch {
            throw Failure(error)
        }
    }
}
