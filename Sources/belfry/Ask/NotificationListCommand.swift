import ArgumentParser
import CommandTerminal

/// `belfry notification list`.
struct NotificationListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the notifications that the hub keeps, the newest first.",
        usage: "belfry notification list [<options>]",
        discussion: """
            'acked' counts devices that have stored it. Registrations of devices that are away are \
            counted when they come back.

            --since and --until take a date and time, UTC when it names no zone, or how long ago it \
            was, such as 90s, 15m, 2h or 1d. Outcomes: acknowledged (a device has stored it), \
            unacknowledged (one that it was sent to has not said so), dropped (a match never gets \
            it), unmatched (no connected device matched).

            Examples:
              belfry notification list --data ./data
              belfry notification list --data ./data --since 2h --outcome dropped
              belfry notification list --data ./data --tag World --top 100 --json
            """
    )

    @OptionGroup var hubOptions: HubOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var span: SpanOptions

    enum Outcome: String, CaseIterable, ExpressibleByArgument {
        case acknowledged
        case unacknowledged
        case dropped
        case unmatched
    }

    @Option(help: "Only those whose expression names this tag.")
    var tag: String?

    @Option(help: "Only those of this format, as in 'belfry send'.")
    var format: String?

    @Option(help: "Only those with this outcome so far.")
    var outcome: Outcome?

    func validate() throws {
        _ = try format.map(SendFormat.init)
    }

    func run() async throws {
        let (since, until) = try span.texts()
        let isFiltered =
            [since, until, tag, format].contains { $0 != nil } || outcome != nil
        try await Row.show(
            NotificationPage.self,
            of: hubOptions,
            json: page.json,
            NotificationPage.path,
            [
                "$top": "\(page.top)", "continuationtoken": page.after,
                "since": since, "until": until, "tag": tag,
                "format": try format.map { try SendFormat($0).word },
                "outcome": outcome?.rawValue,
            ]
        ) { found in
            var table = TextTable("accepted", "id", "format", "sent", "acked", "dropped", "to")
            for entry in found.notifications {
                table.add(
                    Row.second(entry.accepted),
                    String(entry.id.prefix(32)),
                    Row.format(entry.format),
                    "\(entry.sent)",
                    "\(entry.acknowledged)",
                    "\(entry.dropped)",
                    entry.tags ?? entry.receivers
                )
            }
            table.show(
                isFiltered
                    ? "no such notification\(found.continuationToken == nil ? "" : " so far")"
                    : "nothing was sent yet; 'belfry send' sends a notification"
            )
            page.tell(next: found.continuationToken)
        }
    }
}
