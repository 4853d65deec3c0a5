import ArgumentParser
import HubSender

/// `belfry key rotate`.
struct KeyRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Makes one key of an access rule anew, and prints it.",
        discussion: """
            The old key is refused at once, with each token that it has signed. To change keys \
            without a break: rotate the secondary key, hand it to every sender, then rotate the \
            primary one.

            Examples:
              belfry key rotate --data ./data DefaultSendSharedAccessSignature \\
                --key secondary
            """
    )

    enum Key: String, CaseIterable, ExpressibleByArgument {
        case primary
        case secondary
    }

    @OptionGroup var hubOptions: HubOptions

    @Argument(help: "The rule's name, as 'belfry key list' prints it.")
    var rule: String

    @Option(help: "primary or secondary.")
    var key: Key

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    private struct NewKey: Decodable {
        var value: String
    }

    func run() async throws {
        let hub = try Connecting.hubName(hubOptions)
        let text = try await Connecting.askingServer(hubOptions) { sender throws(SenderError) in
            try await sender.row(
                .post,
                "\(hub)/$belfry/keys",
                ["rule": rule, "key": key.rawValue]
            )
        }
        if json { return Terminal.line(text) }
        Terminal.note("the new \(key.rawValue) key of '\(rule)' of /\(hub); it is in force:")
        Terminal.line(try Row.read(text, as: NewKey.self).value)
    }
}
