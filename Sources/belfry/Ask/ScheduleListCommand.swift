import ArgumentParser
import CommandTerminal

/// `belfry schedule list`.
struct ScheduleListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the scheduled notifications, the next one first.",
        usage: "belfry schedule list [<options>]",
        discussion: """
            Examples:
              belfry schedule list --data ./data
            """
    )

    @OptionGroup var hubOptions: HubOptions
    @OptionGroup var page: PageOptions

    private struct Page: Decodable {
        struct Entry: Decodable {
            var bytes: Int
            var due: String
            var format: String
            var id: String
            var tags: String?
        }

        var continuationToken: String?
        var schedules: [Entry]
    }

    func run() async throws {
        try await Row.show(
            Page.self,
            of: hubOptions,
            json: page.json,
            "$belfry/schedulednotifications",
            ["$top": "\(page.top)", "continuationtoken": page.after]
        ) { found in
            var table = TextTable("due", "id", "format", "bytes", "to")
            for entry in found.schedules {
                table.add(
                    Row.second(entry.due),
                    entry.id,
                    Row.format(entry.format),
                    "\(entry.bytes)",
                    entry.tags ?? "everyone"
                )
            }
            table.show("nothing is scheduled")
            page.tell(next: found.continuationToken)
        }
    }
}
