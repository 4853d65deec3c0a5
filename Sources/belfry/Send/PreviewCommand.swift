import ArgumentParser
import CommandTerminal
import Foundation
import HubClient
import HubSender

/// `belfry preview`.
struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Shows the texts that a send would become on devices.",
        usage: "belfry preview <body> [<options>]",
        discussion: """
            Sends nothing. Of some of the registrations that it would reach, each different text is \
            shown once, as the template or the platform makes it. Needs a key with the Manage right.

            Examples:
              belfry preview --data ./data '{"messageParam":"Hello"}'
              belfry preview --data ./data --tags '$InstallationId:{phone-1}' \\
                '{"messageParam":"Hello"}'
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "Tag or tag expression; without it everyone is meant.")
    var tags: String?

    @Option(help: "template, or a platform, as in 'belfry send'.")
    var format = "template"

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    @Argument(help: "The JSON object of template properties, or the payload; '-' reads it.")
    var body: String

    func validate() throws { _ = try SendFormat(format) }

    func run() async throws {
        let notification = try SendFormat(format).notification(body, tags: tags)
        let answer = try await Connecting.asking(hubOptions) { sender throws(SenderError) in
            try await sender.preview(notification)
        }
        if json { Terminal.line(answer.json) } else { AudienceLines.showTexts(answer) }
    }
}
