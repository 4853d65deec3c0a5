import ArgumentParser
import CommandTerminal
import HubData

/// `belfry context use`.
struct ContextUseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Has commands use a context when they are told no hub.",
        discussion: """
            Examples:
              belfry context use prod
            """
    )

    @Argument(help: "Its name.")
    var name: String

    func run() throws {
        try HubContext.use(name)
        Terminal.line("in use: \(name)")
    }
}
