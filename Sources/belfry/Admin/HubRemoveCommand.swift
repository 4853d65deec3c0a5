import ArgumentParser
import CommandTerminal
import HubSender

/// `belfry hub remove`.
struct HubRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a hub with everything that it has stored.",
        usage: "belfry hub remove <name> [<options>]",
        discussion: """
            Its devices are disconnected, and its notifications, registrations and keys are gone. \
            A backup is the only way back.

            Examples:
              belfry hub remove --data ./data sports --yes
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Argument(help: "Its name.")
    var name: String

    @Flag(help: "Confirms it; without it nothing is removed.")
    var yes = false

    func validate() throws {
        try GivenIdentifier.checkHub(name)
        try hubOptions.refuseHub(since: "The command has the hub's name")
        guard yes else {
            throw ValidationError("This removes all that '\(name)' has stored: add --yes.")
        }
    }

    func run() async throws {
        _ = try await Connecting.askingServer(hubOptions) { sender throws(SenderError) in
            try await sender.row(.delete, name)
        }
        Terminal.line("removed '\(name)'")
    }
}
