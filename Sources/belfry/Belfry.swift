import ArgumentParser
import DeviceEmulator
import Foundation
import Synchronization

/// The one binary: subcommands and nothing else.
@main
struct Belfry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "belfry",
        abstract: "A self-hosted push-notification hub.",
        discussion: """
            Try it:
              belfry demo                              a hub, devices, breaking news
              belfry serve --data ./data               run a hub
              belfry device --data ./data --tag World  one emulated device
              belfry app --data ./data                 a phone, with a screen and keys
              belfry send --data ./data --tags World --format apple \\
                '{"aps":{"alert":"Hello"}}'

            Exit codes: 0 success, 1 the operation failed, 64 wrong usage.
            """,
        version: "0.2.0",
        subcommands: [
            ServeCommand.self, DemoCommand.self, SendCommand.self, ExplainCommand.self,
            DeviceCommand.self, FleetCommand.self, BenchCommand.self, BackupCommand.self,
            RestoreCommand.self, VerifyCommand.self, SettingsCommand.self, PurgeCommand.self,
            SimulateCommand.self, RevokeCommand.self, BackendCommand.self,
            AppCommand.self,
        ]
    )
}

/// What a command that failed says: one readable line on standard error, exit code 1.
///
/// Some of it a server has said, so no control sequence of it reaches a terminal.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ error: any Error) { self.init("\(error)") }

    init(_ text: String) { description = SafeText.line(text) }
}

/// What every command that talks to a running hub needs.
struct HubOptions: ParsableArguments {
    @Option(name: .long, help: "The data folder of a running hub (reads its connection.json).")
    var data: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A connection string instead of --data; better in BELFRY_CONNECTION_STRING or a file, "
                + "since process lists show arguments."
        )
    )
    var connectionString: String?

    @Option(name: .long, help: "A file that holds the connection string.")
    var connectionStringFile: String?

    @Option(name: .long, help: "The hub's name, with a connection string.")
    var hub: String?

    @Option(name: .long, help: "A PEM file of the authority to trust instead of the system's.")
    var ca: String?
}

/// Standard error and colours.
enum Terminal {
    /// Whether colours are wanted: a terminal, and NO_COLOR is not set to anything.
    static var hasColours: Bool {
        let refusal = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        return isatty(STDOUT_FILENO) == 1 && refusal.isEmpty
    }

    /// Green where colours are wanted.
    static func good(_ text: String) -> String { hasColours ? "\u{1B}[32m\(text)\u{1B}[0m" : text }

    /// A line on standard error.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// A question on standard error, whose answer follows in the same line.
    static func prompt(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// Replaces the progress line of a terminal; silent elsewhere.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data(("\r\u{1B}[K" + text).utf8))
    }

    /// A value on standard output, as JSON for people and programs.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// A line on standard output, at once.
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}

/// Progress on standard error: all of it on a terminal, elsewhere a line every ten seconds, so that
/// logs stay short.
final class SparseNotes: Sendable {
    private static let interval: Duration = .seconds(10)

    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    init(
        isTerminal: Bool = isatty(STDERR_FILENO) == 1,
        write: @escaping @Sendable (String) -> Void = { Terminal.note($0) }
    ) {
        self.isTerminal = isTerminal
        self.write = write
        if !isTerminal { last.withLock { $0 = .now } }
    }

    /// Replaces the line on a terminal; elsewhere as `note`.
    func show(_ line: String) {
        if isTerminal { Terminal.progress(line) } else { note(line) }
    }

    /// Takes the line of `show` away again.
    func clear() {
        if isTerminal { Terminal.progress("") }
    }

    /// Writes a line, or leaves it out because another one was written not long ago.
    func note(_ line: String, at now: ContinuousClock.Instant = .now) {
        let isDue = last.withLock { last in
            guard !isTerminal, let before = last else { return true }
            guard now - before >= Self.interval else { return false }
            last = now
            return true
        }
        if isDue { write(line) }
    }
}
