import ArgumentParser
import CommandTerminal
import HubData

/// `belfry context remove`.
struct ContextRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Forgets a context with its key.",
        discussion: """
            Examples:
              belfry context remove prod
            """
    )

    @Argument(help: "Its name.")
    var name: String

    func run() throws {
        try HubContext.remove(name)
        Terminal.line("removed '\(name)'")
    }
}
