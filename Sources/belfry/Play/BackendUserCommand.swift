import AppBackend
import ArgumentParser
import CommandTerminal
import Foundation

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
        abstract: "Adds a user; the password is asked for, or read from standard input.",
        usage: "belfry backend user add --data <data> <name> [<options>]"
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
        abstract: "Gives a user another password and logs all their devices out.",
        usage: "belfry backend user passwd --data <data> <name> [<options>]"
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
        abstract: "Removes a user with their content; their devices get nothing more.",
        usage: "belfry backend user remove --data <data> <name> [<options>]"
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
