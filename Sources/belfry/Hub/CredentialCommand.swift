import ArgumentParser

/// `belfry hub credential`.
struct CredentialCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Sets, shows or removes credentials for push services.",
        discussion: """
            With a credential a hub relays notifications to phones and browsers through the \
            services of their makers. Needs the key of the namespace.
            """,
        subcommands: [
            SetCredentialCommand.self, ShowCredentialCommand.self, RemoveCredentialCommand.self,
        ]
    )
}
