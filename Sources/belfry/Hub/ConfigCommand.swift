import ArgumentParser

/// `belfry config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows and checks the settings of a data folder and the environment.",
        subcommands: [ConfigCheckCommand.self, ConfigShowCommand.self]
    )
}
