import ArgumentParser

/// `belfry backend`.
struct BackendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend",
        abstract: "Runs the app backend of the scenarios, or manages its users.",
        discussion: """
            Examples:
              belfry backend --data ./data
              belfry backend user add alice --data ./data
              belfry backend user list --data ./data
            """,
        subcommands: [BackendRunCommand.self, BackendUserCommand.self],
        defaultSubcommand: BackendRunCommand.self
    )
}
