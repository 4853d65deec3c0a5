import ArgumentParser
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
            nearest; a device with several registrations has one line more for each.

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
            show(answer)
        }
        if answer.reason.hasPrefix("unknown"), answer.reason != "unknownHandle" {
            throw ExitCode.failure
        }
    }

    private func show(_ answer: ExplainAnswer) {
        Terminal.line(answer.sentence)
        guard answer.registrations.count > 1 else { return }
        for entry in answer.registrations {
            let name = entry.slot.map { "registration \($0)" } ?? "made over REST"
            Terminal.line(
                "  \(name), \(entry.platform.map(Platform.shown) ?? "?"): \(entry.sentence)"
            )
        }
    }
}
