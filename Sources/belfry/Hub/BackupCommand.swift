import ArgumentParser
import CommandTerminal
import HubData
import HubDatabase
import HubExamination
import HubServer

/// `belfry backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a data folder, also while its hub runs.",
        usage: "belfry backup --data <data> --to <to> [<options>]",
        discussion: """
            The copy is one moment of each hub: what was answered 201 before it began is in it. It \
            holds keys, so keep it as safe as the folder itself.

            Hubs in a database are read there, and restored into files.

            Examples:
              belfry backup --data ./data --to ./backup-monday
              belfry restore --from ./backup-monday --data ./data-again
            """
    )

    @Option(help: "The data folder.")
    var data: String

    @Option(help: "A folder that does not exist, or is empty.")
    var to: String

    @OptionGroup var choice: DatabaseChoice

    @Flag(help: "Reads each row of the copy back.")
    var verify = false

    @Flag(help: "Prints the backup's description as JSON.")
    var json = false

    func run() async throws {
        let made = try await made()
        let found =
            try verify
            ? Failure.told { try DataBackup.verify(to, progress: Terminal.progress) } : nil
        Terminal.progress("")
        for fault in found?.faults ?? [] { Terminal.note(fault) }
        guard found?.faultCount ?? 0 == 0 else { throw Failure("the copy in \(to) is damaged") }
        do {
            try LastBackup(madeAt: made.madeAt, isVerified: verify).write(data: data)
        } catch {
            // The copy is good; the doctor alone will not know of it.
            Terminal.note("not noted in \(data): \(error)")
        }
        try BackupSummary.show(made, json: json, verb: "backed up")
    }

    private func made() async throws -> DataBackup {
        do {
            // Files are copied whatever the configuration says.
            let isCopy = try ClusterFile.read(in: data) != nil
            let settings =
                isCopy ? try await ServerSettings.load(flags: choice.flags, data: data) : nil
            return try DatabaseBackup.make(
                of: data,
                to: to,
                from: settings?.options.storage.database,
                progress: Terminal.progress
            )
        } catch {
            throw Failure(error)
        }
    }
}
