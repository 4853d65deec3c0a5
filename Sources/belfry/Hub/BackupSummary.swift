import CommandTerminal
import HubData
import HubServer

/// The summary that `backup` and `restore` print of a backup.
enum BackupSummary {
    /// Prints the backup as JSON, or in a few lines.
    static func show(_ backup: DataBackup, json: Bool, verb: String) throws {
        guard !json else { return try Terminal.json(backup) }
        for hub in backup.hubs {
            Terminal.line("\(verb) hub '\(hub.name)' up to notification \(hub.head)")
        }
        let bytes = backup.files.reduce(0) { $0 + $1.size }
        Terminal.line("\(backup.files.count) files, \(bytes) bytes")
    }
}
