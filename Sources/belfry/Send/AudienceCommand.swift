import ArgumentParser
import HubSender

/// `belfry audience`.
struct AudienceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience",
        abstract: "Counts the registrations that a tag expression means.",
        usage: "belfry audience [<options>]",
        discussion: """
            Sends nothing. 'belfry send --dry-run' shows what they would get. Both need a key with \
            the Manage right.

            Examples:
              belfry audience --data ./data --tags 'World && !locale:fr'
              belfry audience --data ./data --tags World --format apple
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "Tag or tag expression; without it everyone is meant.")
    var tags: String?

    @Option(help: "Only registrations that sends of this format reach, as in 'belfry send'.")
    var format: String?

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws { _ = try format.map(SendFormat.init) }

    func run() async throws {
        let word = try format.map { try SendFormat($0).word }
        let answer = try await Connecting.asking(hubOptions) { sender throws(SenderError) in
            try await sender.audience(tags: tags, format: word)
        }
        AudienceLines.show(answer, json: json)
    }
}
