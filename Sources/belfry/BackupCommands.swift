import ArgumentParser
import Foundation
import HubServer

/// `belfry backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a data folder, also while its hub runs.",
        discussion: """
            The copy is one moment of each hub: what was answered 201 before it began is in it. It \
            holds keys, so keep it as safe as the folder itself.

            Examples:
              belfry backup --data ./data --to ./backup-monday
              belfry restore --from ./backup-monday --data ./data-again
            """
    )

    @Option(help: "The data folder.")
    var data: String

    @Option(help: "A folder that does not exist, or is empty.")
    var to: String

    @Flag(help: "Prints the backup's description as JSON.")
    var json = false

    func run() async throws {
        let made = try Failing.cleanly { () throws(ServerError) in
            try DataBackup.make(of: data, to: to, progress: Terminal.progress)
        }
        Terminal.progress("")
        try show(made, json: json, verb: "backed up")
    }
}

/// `belfry restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a data folder of a backup.",
        discussion: """
            Checks every file of the backup first and overwrites nothing. Each hub's log begins a \
            new epoch: devices that have seen something sent after the backup notice, are told \
            RESET, and go on from what the hub knows. Scheduled notifications whose time has passed \
            since the backup go out when the hub starts, unless --skip-overdue forgets them: they \
            may have gone out before, and the backup cannot know.

            Examples:
              belfry restore --from ./backup-monday --data ./data-again
              belfry restore --from ./backup-monday --data ./data-again --skip-overdue
            """
    )

    @Option(help: "The backup's folder.")
    var from: String

    @Option(help: "A folder that does not exist, or is empty.")
    var data: String

    @Flag(help: "Forgets scheduled notifications whose time has passed since the backup.")
    var skipOverdue = false

    @Flag(help: "Prints the backup's description as JSON.")
    var json = false

    func run() async throws {
        let restored = try Failing.cleanly { () throws(ServerError) in
            try DataBackup.restore(
                from,
                to: data,
                skipsOverdue: skipOverdue,
                progress: Terminal.progress
            )
        }
        Terminal.progress("")
        try show(restored, json: json, verb: "restored")
        for hub in json ? [] : restored.hubs where hub.overdue ?? 0 > 0 {
            let fate = skipOverdue ? "were forgotten" : "go out when the hub starts"
            Terminal.line(
                "hub '\(hub.name)': \(hub.overdue ?? 0) overdue scheduled notifications \(fate)"
            )
        }
    }
}

/// `belfry verify`.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reads every row of a data folder or backup and checks it.",
        discussion: """
            Changes nothing and may run beside the hub. Exits 1 when something is damaged, with one \
            line for each.

            Examples:
              belfry verify --data ./data
              belfry verify --data ./backup-monday --json
            """
    )

    @Option(help: "The data folder, or a backup.")
    var data: String

    @Flag(help: "Prints one JSON object.")
    var json = false

    func run() async throws {
        let found = try Failing.cleanly { () throws(ServerError) in
            try DataBackup.verify(data, progress: Terminal.progress)
        }
        Terminal.progress("")
        if json {
            try Terminal.json(found)
        } else {
            for fault in found.faults { Terminal.line(fault) }
            let verdict =
                found.faultCount == 0
                ? Terminal.good("nothing is damaged") : "\(found.faultCount) damaged"
            Terminal.line("\(found.rows) rows read, \(verdict)")
        }
        if found.faultCount > 0 { throw ExitCode(1) }
    }
}

private func show(_ backup: DataBackup, json: Bool, verb: String) throws {
    guard !json else { return try Terminal.json(backup) }
    for hub in backup.hubs {
        Terminal.line("\(verb) hub '\(hub.name)' up to notification \(hub.head)")
    }
    let bytes = backup.files.reduce(0) { $0 + $1.size }
    Terminal.line("\(backup.files.count) files, \(bytes) bytes")
}

/// Turns what a server's part throws into one readable line.
private enum Failing {
    static func cleanly<Value>(_ body: () throws(ServerError) -> Value) throws -> Value {
        do throws(ServerError) {
            return try body()
        } catch {
            throw Failure(error)
        }
    }
}
