import ArgumentParser
import CommandTerminal
import Foundation
import RelayFakes
import Synchronization

/// `belfry fake`.
struct FakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fake",
        abstract: "Plays a platform's push service, so that a back end needs no account.",
        usage: "belfry fake <service> [<options>]",
        discussion: """
            Listens on loopback with TLS, checks each request as the service does, and answers \
            in its words. The folder gets a certificate to trust and a credential to use.

            A fault is SELECTOR=WORD. The selector is 10 for each tenth request, @10 for the \
            tenth alone, or a handle. The word is a reason or status of the service, or one of: \
            refuse, reset, goaway+REASON, drop, silence, freeze+SECONDS, slow+MILLISECONDS, \
            streams+NUMBER, huge, wide. A reason may have a pause or a time: 429+30, \
            Unregistered+1700000000000.

            Examples:
              belfry fake apns --port 2197
              belfry fake fcm --fault 100=QUOTA_EXCEEDED+30 --fault 10=slow+500
              belfry fake webpush --json
            """
    )

    @Argument(
        help: "The service: \(FakeFolder.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
    )
    var service: FakeFolder.Kind

    @Option(help: "The port, 0 for a free one.")
    var port = 0

    @Option(help: "A folder for certificate and credential.")
    var folder = "./fake"

    @Option(help: "The app's bundle id, for apns.")
    var bundle = "com.example.app"

    @Option(help: "A fault, as SELECTOR=WORD; more than one is allowed.")
    var fault: [String] = []

    @Option(help: "The certificate: good, wrongName, expired or untrusted.")
    var certificate = FakeCertificate.Kind.good

    @Option(help: "Another name for the certificate; more than one is allowed.")
    var name: [String] = []

    @Option(help: "A file to which each request is added as a line of JSON.")
    var journal: String?

    @Flag(help: "Print where it listens, and each request, as a line of JSON.")
    var json = false

    @Flag(help: .hidden)
    var untilStdinCloses = false

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be 0 to 65535.")
        }
        _ = try script()
    }

    func run() async throws {
        if untilStdinCloses { Signals.endWithParent() }
        let place: FakeFolder
        let server: FakeServer
        do {
            place = try FakeFolder(folder)
            let shown = try FakeCertificate(certificate, names: name)
            let (fake, credential) = try place.service(service, bundle: bundle)
            var options = FakeServer.Options()
            options.port = port
            server = try await FakeServer.start(
                fake,
                shown,
                script: try script(),
                journal: try book(),
                options: options
            )
            Terminal.note("belfry fake \(service.rawValue): https://localhost:\(server.port)")
            Terminal.note("  trust       \(try place.trust(shown))")
            Terminal.note("  credential  \(credential)")
            if json { Terminal.line("{\"event\":\"listening\",\"port\":\(server.port)}") }
        } catch { throw Failure(error) }
        // A signal ends the pause, and with it the command.
        try? await Signals.cancelling { try await Task.sleep(for: .seconds(31_536_000)) }
        await server.stop()
    }

    private func script() throws -> FaultScript {
        var script = FaultScript()
        for rule in fault {
            guard script.add(rule) else {
                throw ValidationError("--fault \(rule) is not SELECTOR=WORD.")
            }
        }
        return script
    }

    /// Lines for standard output and the file.
    private func book() throws -> FakeJournal {
        let file = try journal.map { path -> FileHandle in
            if !FileManager.default.fileExists(atPath: path) {
                try Data().write(to: URL(fileURLWithPath: path))
            }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.seekToEnd()
            return file
        }
        let json = json
        return FakeJournal { line in
            if json { Terminal.line(line.json) } else { Terminal.line(line.summary) }
            file?.write(Data((line.json + "\n").utf8))
        }
    }
}

extension FakeFolder.Kind: ExpressibleByArgument {}

extension FakeCertificate.Kind: ExpressibleByArgument {}
