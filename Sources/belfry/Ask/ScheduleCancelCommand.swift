import ArgumentParser
import CommandTerminal
import HubSender

/// `belfry schedule cancel`.
struct ScheduleCancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancels a scheduled notification that has not fired.",
        usage: "belfry schedule cancel <id> [<options>]",
        discussion: """
            Examples:
              belfry schedule cancel --data ./data 0193a5c2d7e37001000000000000000f
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Argument(help: "Its id, as 'belfry schedule list' prints it.")
    var id: String

    func validate() throws { try GivenIdentifier.checkSchedule(id) }

    func run() async throws {
        _ = try await Connecting.asking(hubOptions) { sender throws(SenderError) in
            try await sender.row(.delete, "schedulednotifications/\(id)")
        }
        Terminal.line("cancelled: it never fires")
    }
}
