import ArgumentParser
import CommandTerminal
import Foundation
import HubSender

/// `belfry explain`.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says why a notification did or did not reach a device.",
        usage: "belfry explain <notification> [<options>]",
        discussion: """
            NOTIFICATION is what 'belfry send' prints. The first line is the reason that came \
            nearest. Below it stands what happened: each registration with the tags that it had when \
            the notification was accepted, and each tag of the expression with ✓ where it was as \
            wanted, ✗ where it was not.

            Examples:
              belfry explain --data ./data NOTIFICATION --device DEVICE
              belfry explain --data ./data NOTIFICATION --registration 7001-2214-1 --json
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "The device's id, or its push handle.")
    var device: String?

    @Option(help: "The registration's id.")
    var registration: String?

    @Option(help: "The installation's id.")
    var installation: String?

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    @Argument(help: "The notification's id.")
    var notification: String

    func validate() throws {
        guard [device, registration, installation].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("Name one of --device, --registration and --installation.")
        }
        if let device { try GivenIdentifier.checkDevice(device) }
        try GivenIdentifier.checkNotification(notification)
    }

    func run() async throws {
        let answer = try await Connecting.asking(hubOptions) { sender throws(SenderError) in
            try await sender.explain(
                notification: notification,
                registration: registration,
                installation: installation,
                device: device
            )
        }
        if json {
            Terminal.line(answer.json)
        } else {
            for line in ExplainLines(answer).all { Terminal.line(line) }
        }
        if answer.reason.hasPrefix("unknown"), answer.reason != "unknownHandle" {
            throw ExitCode.failure
        }
    }
}
