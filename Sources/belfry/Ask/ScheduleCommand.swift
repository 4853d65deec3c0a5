import ArgumentParser

/// `belfry schedule`.
struct ScheduleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Lists and cancels what is to be sent later.",
        subcommands: [ScheduleListCommand.self, ScheduleCancelCommand.self]
    )
}
