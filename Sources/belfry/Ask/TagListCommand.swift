import ArgumentParser
import CommandTerminal

/// `belfry tag list`.
struct TagListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the tags in use with the number of their registrations.",
        usage: "belfry tag list [<options>]",
        discussion: """
            Examples:
              belfry tag list --data ./data --prefix locale:
            """
    )

    @OptionGroup var hubOptions: HubOptions
    @OptionGroup var page: PageOptions

    @Option(help: "Only tags that begin so, in whatever case.")
    var prefix: String?

    private struct Page: Decodable {
        struct Entry: Decodable {
            var registrations: Int
            var tag: String
        }

        var continuationToken: String?
        var tags: [Entry]
    }

    func run() async throws {
        try await Row.show(
            Page.self,
            of: hubOptions,
            json: page.json,
            "$belfry/tags",
            ["$top": "\(page.top)", "continuationtoken": page.after, "prefix": prefix]
        ) { found in
            var table = TextTable("registrations", "tag")
            for entry in found.tags { table.add("\(entry.registrations)", entry.tag) }
            table.show("no such tag is in use")
            page.tell(next: found.continuationToken)
        }
    }
}
