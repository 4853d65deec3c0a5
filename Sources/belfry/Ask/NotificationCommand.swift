import ArgumentParser

/// `belfry notification`.
struct NotificationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification",
        abstract: "Lists what was sent, and shows what became of it.",
        subcommands: [NotificationListCommand.self, NotificationShowCommand.self]
    )
}
