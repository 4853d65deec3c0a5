import ArgumentParser
import CommandTerminal
import HubData
import HubServer

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
        let found = try Failure.told {
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
