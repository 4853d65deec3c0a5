import ArgumentParser
import HubSender

/// `belfry tag show`.
struct TagShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows who has a tag.",
        usage: "belfry tag show <tag> [<options>]",
        discussion: """
            'belfry audience' counts those that an expression of tags means.

            Examples:
              belfry tag show --data ./data World
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Argument(help: "The tag.")
    var tag: String

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func run() async throws {
        let answer = try await Connecting.asking(hubOptions) { sender throws(SenderError) in
            try await sender.audience(tags: tag)
        }
        AudienceLines.show(answer, json: json)
    }
}
