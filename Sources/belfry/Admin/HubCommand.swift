import ArgumentParser

/// `belfry hub`.
struct HubCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Lists, makes and removes the hubs of a server.",
        subcommands: [
            HubListCommand.self, HubAddCommand.self, HubRemoveCommand.self, CredentialCommand.self,
        ]
    )
}
