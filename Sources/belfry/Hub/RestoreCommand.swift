import ArgumentParser
import CommandTerminal
import HubData
import HubServer

/// `belfry restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a data folder of a backup.",
        discussion: """
            Checks every file of the backup first, refuses what 'serve' would refuse, and \
            overwrites nothing. Each hub's log begins a \
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
        let restored: DataBackup
        do {
            restored = try await DataBackup.restoreServable(
                from,
                to: data,
                skipsOverdue: skipOverdue,
                progress: Terminal.progress
            )
        } catch {
            throw Failure(error)
        }
        Terminal.progress("")
        try BackupSummary.show(restored, json: json, verb: "restored")
        for hub in json ? [] : restored.hubs where hub.overdue ?? 0 > 0 {
            let fate = skipOverdue ? "were forgotten" : "go out when the hub starts"
            Terminal.line(
                "hub '\(hub.name)': \(hub.overdue ?? 0) overdue scheduled notifications \(fate)"
            )
        }
    }
}
