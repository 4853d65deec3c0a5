import ArgumentParser
import CommandTerminal
import Foundation
import HubData

/// `belfry context add`.
struct ContextAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Keeps a connection string under a name.",
        usage: "belfry context add <name> [<options>]",
        discussion: """
            A context of that name is replaced. The first one is in use at once.
            It is made of a connection string: --data and --context are refused.

            Examples:
              belfry context add prod --connection-string-file key.txt --hub hub \\
                --ca ca.pem
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Argument(help: "Its name: letters, digits, '.', '_' and '-'.")
    var name: String

    func validate() throws {
        guard HubContext.isName(name) else {
            throw ValidationError("'\(name)' is no name of a context.")
        }
        guard hubOptions.data == nil, hubOptions.context == nil else {
            throw ValidationError("A context is made of a connection string.")
        }
    }

    func run() throws {
        let text = try Connecting.checkedString(hubOptions)
        let ca = hubOptions.ca.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        let isFirst = HubContext.names.isEmpty
        try HubContext(connectionString: text, hub: hubOptions.hub, ca: ca).write(name)
        if isFirst { try HubContext.use(name) }
        Terminal.line("added '\(name)'" + (isFirst ? ", in use" : ""))
    }
}
