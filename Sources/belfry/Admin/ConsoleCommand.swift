import ArgumentParser
import CommandTerminal
import ConsoleRelay
import Foundation
import HubSender

/// `belfry console`.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Opens the console of a hub in a browser of this machine.",
        usage: "belfry console [<options>]",
        discussion: """
            Prints a link that signs in once, within five minutes, and stays as the way to the \
            hub: it checks the hub's certificate, so that the browser need not know it. With \
            --hub, or the key of one hub, the session sees that hub alone.

            Examples:
              belfry console --data ./data
              belfry console --data ./data --role viewer --as wall --hours 12
              belfry console --data ./data --confirm
            """
    )

    enum Role: String, CaseIterable, ExpressibleByArgument {
        case viewer
        case sender
        case manager
    }

    private static let hoursMax = 12

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "What the session may do: viewer, sender or manager.")
    var role = Role.manager

    @Option(name: .customLong("as"), help: "Your name, for the audit. (default: the user's)")
    var name: String?

    @Option(help: "How many hours the session lasts, 1 to 12.")
    var hours = 8

    @Option(help: "The port on this machine; 0 picks a free one.")
    var port = 0

    @Flag(help: "Prints nine digits that confirm keys, purges and deletions, and ends.")
    var confirm = false

    @Flag(name: .customLong("no-open"), help: "Prints the link and opens no browser.")
    var isQuiet = false

    private struct Code: Decodable {
        var code: String
        var relay: String?
    }

    func validate() throws {
        guard (1...Self.hoursMax).contains(hours) else {
            throw ValidationError("--hours must be 1 to \(Self.hoursMax).")
        }
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be 0 to 65535.")
        }
    }

    func run() async throws {
        let isOfHub = try Connecting.namesHub(hubOptions)
        let sender =
            isOfHub
            ? try Connecting.sender(hubOptions) : try Connecting.serverSender(hubOptions)
        do {
            let made = try await code(sender)
            if confirm {
                Terminal.note("Type these digits within two minutes; they count once:")
                Terminal.line(made.code)
            } else {
                try await serve(sender, made)
            }
        } catch {
            await sender.close()
            throw error
        }
        await sender.close()
    }

    private func code(_ sender: SenderClient) async throws -> Code {
        do {
            let text = try await sender.row(
                .post,
                "$belfry/console/codes",
                [
                    "role": role.rawValue, "name": claimed, "hours": "\(hours)",
                    "confirm": confirm ? "true" : nil,
                ]
            )
            return try Row.read(text, as: Code.self)
        } catch let error as SenderError {
            throw Failure(error, of: sender)
        }
    }

    private var claimed: String {
        let environment = ProcessInfo.processInfo.environment
        return name ?? environment["SUDO_USER"] ?? environment["USER"] ?? "operator"
    }

    private func serve(_ sender: SenderClient, _ made: Code) async throws {
        let relay = ConsoleRelay(sender, token: made.relay ?? "")
        try await relay.run(port: port) { [self] port in
            let link = "http://127.0.0.1:\(port)/$belfry/ui/sign-in#\(made.code)"
            let server = "\(sender.connection.host):\(sender.connection.port)"
            Terminal.note("Console of \(server) for \(claimed), \(role.rawValue), \(hours) hours:")
            Terminal.line("  \(link)")
            Terminal.note(
                "The link works once, within 5 minutes. Control-C closes this way in; sessions "
                    + "stay until they end."
            )
            if !isQuiet, isatty(STDOUT_FILENO) == 1 { Self.open(link) }
        }
    }

    /// Opens the user's browser where there is one; the link is printed in any case.
    private static func open(_ link: String) {
        let opener = Process()
        opener.executableURL = URL(fileURLWithPath: "/usr/bin/xdg-open")
        opener.arguments = [link]
        opener.standardError = FileHandle.nullDevice
        // Without a browser the link is there.
        try? opener.run()
    }
}
