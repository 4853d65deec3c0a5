import AppBackend
import ArgumentParser
import Foundation
import HubClient
import Logging

/// `belfry backend`.
struct BackendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend",
        abstract: "Runs the app backend of the scenarios, or manages its users.",
        discussion: """
            Examples:
              belfry backend --data ./data
              belfry backend user add alice --data ./data
              belfry backend user list --data ./data
            """,
        subcommands: [BackendRunCommand.self, BackendUserCommand.self],
        defaultSubcommand: BackendRunCommand.self
    )
}

/// Where a backend is.
struct BackendPlace: ParsableArguments {
    @Option(help: "The data folder of the hub.")
    var data: String

    @Option(help: "The backend's own folder. (default: the hub's with -backend)")
    var backendData: String?

    /// The options of a backend at this place.
    var options: BackendOptions { BackendOptions(hubData: data, data: backendData) }
}

/// `belfry backend run`, which is what `belfry backend` does.
struct BackendRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the app backend beside a hub on this machine.",
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
        if untilStdinCloses { ServeCommand.endWithParent() }
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

/// A request of the backend to the hub, as one line of JSON; push handles in it are cut.
struct RequestLine: Codable {
    var method: String
    var url: String
    var headers: [[String]]
    var body: String
    var status: Int?

    init(_ request: SentRequest) {
        method = request.method
        url = HandleMask.masked(request.url)
        headers = request.headers.map { [$0.name, HandleMask.masked($0.value)] }
        body = HandleMask.masked(String(decoding: request.body, as: UTF8.self))
        status = request.status
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // There is nothing in it but text and a number.
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// `belfry backend user`.
struct BackendUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Adds, removes and lists the users of an app backend.",
        discussion: """
            Works while the backend runs, and without it. A password is asked for without being \
            shown, or read from standard input; it is never an argument, since process lists show \
            those.

            Examples:
              belfry backend user add alice --data ./data
              echo "$PASSWORD" | belfry backend user passwd alice --data ./data
            """,
        subcommands: [
            UserAddCommand.self, UserRemoveCommand.self, UserListCommand.self,
            UserPasswordCommand.self,
        ]
    )
}

/// `belfry backend user add`.
struct UserAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a user; the password is asked for, or read from standard input."
    )

    @OptionGroup var place: BackendPlace

    @Argument(help: "The name: letters, digits and _ @ # . -")
    var name: String

    func run() async throws {
        let password = try Password.read(isNew: true)
        try await UserAccess.with(place) { users in
            try users.add(name, password: password)
        }
        Terminal.line("added '\(name.lowercased())'")
    }
}

/// `belfry backend user passwd`.
struct UserPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd",
        abstract: "Gives a user another password and logs all their devices out."
    )

    @OptionGroup var place: BackendPlace

    @Argument(help: "The name.")
    var name: String

    func run() async throws {
        let password = try Password.read(isNew: true)
        try await UserAccess.with(place) { users in
            try await users.setPassword(of: name, password)
        }
        Terminal.line("changed the password of '\(name.lowercased())'")
    }
}

/// `belfry backend user remove`.
struct UserRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a user with their content; their devices get nothing more."
    )

    @OptionGroup var place: BackendPlace

    @Argument(help: "The name.")
    var name: String

    func run() async throws {
        try await UserAccess.with(place) { users in try await users.remove(name) }
        Terminal.line("removed '\(name.lowercased())'")
    }
}

/// `belfry backend user list`.
struct UserListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the users with how many registrations they have."
    )

    @OptionGroup var place: BackendPlace

    func run() async throws {
        let found = try await UserAccess.with(place) { users in try users.list() }
        for user in found {
            let since = Date(timeIntervalSince1970: Double(user.created)).formatted(.iso8601)
            Terminal.line("\(user.name)  since \(since), \(user.registrations) registrations")
        }
        if found.isEmpty { Terminal.note("there are no users") }
    }
}

/// Opens and closes a backend's folder around a command.
private enum UserAccess {
    static func with<Value>(
        _ place: BackendPlace,
        _ body: (BackendUsers) async throws -> Value
    ) async throws -> Value {
        do {
            let users = try BackendUsers(place.options)
            defer { users.close() }
            return try await body(users)
        } catch {
            throw Failure(error)
        }
    }
}

/// Passwords from the person at the terminal, or from standard input.
enum Password {
    /// A password without the line break at its end; asked for twice when it is a new one.
    static func read(isNew: Bool) throws -> [UInt8] {
        guard isatty(STDIN_FILENO) == 1 else {
            var data = FileHandle.standardInput.readDataToEndOfFile()
            if data.last == UInt8(ascii: "\n") { data.removeLast() }
            if data.last == UInt8(ascii: "\r") { data.removeLast() }
            return [UInt8](data)
        }
        let first = try ask("Password: ")
        guard isNew else { return first }
        guard try ask("Again: ") == first else { throw Failure("the passwords differ") }
        return first
    }

    private static func ask(_ prompt: String) throws -> [UInt8] {
        var shown = termios()
        // The struct lives for the call; a terminal was found above.
        guard unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw Failure("the terminal cannot hide a password")
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // As above.
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw Failure("the terminal cannot hide a password")
        }
        defer {
            // As above; a terminal that cannot be restored has gone.
            _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            Terminal.note("")
        }
        Terminal.prompt(prompt)
        guard let line = readLine() else { throw Failure("no password was given") }
        return Array(line.utf8)
    }
}
