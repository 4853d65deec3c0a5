import ArgumentParser
import CommandTerminal
import HubDatabase
import HubServer

/// `belfry migrate`.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Moves the hubs of a data folder into a PostgreSQL database.",
        usage: "belfry migrate --data <data> --database <database> [<options>]",
        discussion: """
            No hub may run in the folder. Its devices keep their places and handles. Everything is \
            read back and compared before the folder is joined with the database; until then its \
            files are the truth, and a move that was cut off begins anew.

            Examples:
              belfry migrate --data ./data --database postgres://belfry@db/belfry
            """
    )

    @Option(help: "The data folder.")
    var data: String

    @OptionGroup var choice: DatabaseChoice

    func run() async throws {
        do {
            let options = try await ServerSettings.load(flags: choice.flags, data: data).options
            // As it was given: what is shown of an address lacks its options.
            let address = choice.database ?? options.storage.database?.shown ?? ""
            let moved = try DatabaseMove.run(
                from: data,
                to: options.storage.database,
                progress: Terminal.progress
            )
            Terminal.progress("")
            for hub in moved {
                Terminal.line(
                    "moved hub '\(hub.name)': \(hub.records) notifications, \(hub.items) "
                        + "registrations and other rows, places of \(hub.cursors) devices, "
                        + "counters of \(hub.counted) notifications"
                )
            }
            Terminal.line("start it with: belfry serve --data \(data) --database '\(address)'")
        } catch {
            throw Failure(error)
        }
    }
}
