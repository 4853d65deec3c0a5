import ArgumentParser
import CommandTerminal
import DeviceEmulator
import Foundation
import HubClient
import PhoneScreen

/// `belfry app`.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "The phone of the scenarios, as an app in the terminal.",
        discussion: """
            Logs in at an app backend, or subscribes with a hub's Listen key; shows what arrives, \
            opens it, and sends. It keeps its identity, categories, registration and inbox in a \
            folder, registers at every start, and goes on where it stopped, also after a kill.

            On a terminal it fills the screen and is used by keyboard alone. With --plain, or when \
            input or output is no terminal, it takes a command a line ("help" lists them) and \
            prints lines without control sequences. With --json lines in and out are JSON objects; \
            the text of a "done" says what went wrong, that of a "sent" what was not sent. At the \
            end of an input that is no terminal the exit code is 1 when a command or a send failed.

            At each start it asks the backend whether its login still holds; a login is for the \
            backend that gave it.

            A picture that is opened is drawn in the terminal where that can (kitty's and iTerm2's \
            graphics), otherwise opened with the desktop's viewer; where it lies is told too.

            A password is typed, or comes from --password-file, BELFRY_APP_PASSWORD or standard \
            input; never from an argument. The key for sending the news, a connection string, \
            comes from --send-key-file or BELFRY_SEND_KEY, or is typed.

            Examples:
              belfry app --backend-data ./data-backend --folder ./alice
              belfry app --data ./data --folder ./phone --platform wns
              printf 'subscribe World\\n' | belfry app --plain --data ./data
              belfry app --json --backend https://localhost:8444 --ca ./data/tls/ca.pem \\
                --user alice --password-file ./alice.password
            """
    )

    @Option(help: "The folder of an app backend on this machine (reads its backend.json).")
    var backendData: String?

    @Option(help: "The address of an app backend, https://HOST:PORT.")
    var backend: String?

    @Option(help: "A PEM file of the authority to trust, with --backend.")
    var ca: String?

    @Option(help: "The data folder of a running hub, for an app with a Listen key.")
    var data: String?

    @Option(help: "Where the app remembers; made when missing.")
    var folder = "./phone"

    @Option(help: "apple, gcm, fcm, wns, mpns, adm, baidu, browser or xiaomi.")
    var platform = "apple"

    @Option(help: "Logs this user in at the start.")
    var user: String?

    @Option(help: "A file with that user's password.")
    var passwordFile: String?

    @Option(help: "A file with a connection string that may send, for the news.")
    var sendKeyFile: String?

    @OptionGroup var screen: ScreenOptions

    @Option(help: "The template's expiry expression; '0' means now or never.")
    var templateExpiry = ""

    @Flag(help: "Plays a device whose handle has changed since the last start.")
    var newHandle = false

    @Flag(help: "Its user does not look at it: content is told five seconds after its fetch.")
    var background = false

    @Flag(help: "A command a line, and no control sequences.")
    var plain = false

    @Flag(help: "Lines of JSON in and out.")
    var json = false

    @Flag(help: "With --json, requests and frames too, without push handles.")
    var trace = false

    func validate() throws {
        _ = try Platform.read(platform)
        guard backendData != nil || backend != nil || data != nil else {
            throw ValidationError("Name a backend (--backend-data, --backend) or a hub (--data).")
        }
        guard backendData == nil || backend == nil else {
            throw ValidationError("Give --backend-data or --backend.")
        }
        guard ca == nil || backend != nil else { throw ValidationError("--ca is for --backend.") }
        if let backend { _ = try Self.address(backend, ca: ca) }
        guard user == nil || backendData != nil || backend != nil else {
            throw ValidationError("--user is for an app with a backend.")
        }
        guard passwordFile == nil || user != nil else {
            throw ValidationError("--password-file is for --user.")
        }
        guard !plain || !json else { throw ValidationError("Give --plain or --json.") }
        guard !trace || json else { throw ValidationError("--trace is for --json.") }
    }

    func run() async throws {
        let login = try givenLogin()
        do {
            var configuration = TerminalApp.Configuration(try phone(), form: form)
            configuration.login = login
            configuration.playsNewHandle = newHandle
            configuration.viewer = screen.viewer
            configuration.patienceSeconds = screen.patience
            configuration.hasColours = Terminal.hasColours
            guard try await run(configuration) else {
                throw Failure("not everything was done; standard output says what")
            }
        } catch {
            throw Failure(error)
        }
    }

    private var form: TerminalApp.Form {
        if json { return .json(trace: trace) }
        return plain || !TerminalApp.hasScreen ? .plain : .screen
    }

    /// Runs until a signal ends it, too; the end of its terminal ends an app on the screen.
    private func run(_ configuration: TerminalApp.Configuration) async throws -> Bool {
        let ends = configuration.form == .screen ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT, SIGTERM]
        return try await Signals.streaming(SIGWINCH) { resizes in
            var configuration = configuration
            configuration.resizes = resizes
            let app = try TerminalApp(
                configuration,
                print: { Terminal.line($0) },
                prompt: { Terminal.prompt($0) }
            )
            return try await Signals.cancelling(ends) { try await app.run() }
        }
    }

    /// Returns the settings with which the app is started, and makes the folder for it.
    private func phone() throws -> PhoneSetup {
        let platform = try Platform.read(platform)
        do {
            let isNew = !FileManager.default.fileExists(atPath: folder)
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            // It holds a device's key.
            let ignored = URL(fileURLWithPath: folder + "/.gitignore")
            if isNew { try Data("*\n".utf8).write(to: ignored) }
        } catch {
            throw Failure("the folder \(folder) cannot be made")
        }
        var configuration = PhoneSetup(platform: platform, folder: folder)
        // A backend that does not run has no description; a phone that knows it starts all the
        // same.
        let memory = try PhoneMemory(folder: folder)
        if let backendData {
            do throws(PhoneFault) {
                configuration.backend = try BackendFile(folder: backendData)
            } catch {
                guard let known = memory.backend else { throw error }
                configuration.backend = known
            }
        }
        if let backend { configuration.backend = try Self.address(backend, ca: ca) }
        if let data {
            do throws(ConnectionFileError) {
                configuration.connection = try ConnectionFile(dataFolder: data)
            } catch {
                guard case .missing = error, memory.deviceHost != nil else { throw error }
            }
        }
        configuration.templateExpiry = templateExpiry
        configuration.isInForeground = !background
        if let sendKeyFile {
            configuration.sendKey = try Self.secret(in: sendKeyFile)
        } else {
            configuration.sendKey = ProcessInfo.processInfo.environment["BELFRY_SEND_KEY"]
        }
        return configuration
    }

    private func givenLogin() throws -> (user: String, password: String)? {
        guard let user else { return nil }
        if let passwordFile { return (user, try Self.secret(in: passwordFile)) }
        if let password = ProcessInfo.processInfo.environment["BELFRY_APP_PASSWORD"] {
            return (user, password)
        }
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("--user needs --password-file or BELFRY_APP_PASSWORD here.")
        }
        return (user, String(decoding: try Password.read(isNew: false), as: UTF8.self))
    }

    /// The first line of a file.
    private static func secret(in path: String) throws -> String {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("cannot read \(path)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.prefix { !$0.isNewline })
    }

    private static func address(_ text: String, ca: String?) throws -> BackendFile {
        guard let parts = URLComponents(string: text), parts.scheme == "https",
            let host = parts.host, !host.isEmpty, parts.path.isEmpty || parts.path == "/",
            parts.user == nil, parts.query == nil
        else { throw ValidationError("'\(text)' is no address; write https://HOST:PORT.") }
        return BackendFile(host: host, port: parts.port ?? 443, ca: ca)
    }
}
