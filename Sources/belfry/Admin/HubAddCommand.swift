import ArgumentParser
import CommandTerminal
import HubSender

/// `belfry hub add`.
struct HubAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Makes a hub with rules for full rights, Listen and Send.",
        usage: "belfry hub add <name> [<options>]",
        discussion: """
            Examples:
              belfry hub add --data ./data sports
              belfry token --data ./data --hub sports
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Argument(help: "Its name.")
    var name: String

    private static let entry = """
        <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">\
        <NotificationHubDescription xmlns="http://schemas.microsoft.com/netservices/2010/10/\
        servicebus/connect"/></content></entry>
        """

    func validate() throws {
        try GivenIdentifier.checkHub(name)
        try hubOptions.refuseHub(since: "The command has the hub's name")
    }

    func run() async throws {
        _ = try await Connecting.askingServer(hubOptions) { sender throws(SenderError) in
            try await sender.row(.put, name, body: Array(Self.entry.utf8))
        }
        let options = hubOptions.spelled.isEmpty ? "" : hubOptions.spelled + " "
        Terminal.line("made '\(name)'; a token for it: belfry token \(options)--hub \(name)")
    }
}
