import ArgumentParser

/// `belfry key`.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Lists the access rules of a hub, and makes their keys anew.",
        subcommands: [KeyListCommand.self, KeyRotateCommand.self]
    )
}
