import ArgumentParser

/// `belfry notification list`.
struct NotificationListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the notifications that the hub keeps, the newest first.",
        usage: "belfry notification list [<options>]",
        discussion: """
            'acked' counts devices that have stored it. Registrations of devices that are away are \
            counted when they come back.

            Examples:
              belfry notification list --data ./data
              belfry notification list --data ./data --top 100 --json
            """
    )

    @OptionGroup var hubOptions: HubOptions
    @OptionGroup var page: PageOptions

    func run() async throws {
        try await Row.show(
            NotificationPage.self,
            of: hubOptions,
            json: page.json,
            NotificationPage.path,
            ["$top": "\(page.top)", "continuationtoken": page.after]
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
            table.show("nothing was sent yet; 'belfry send' sends a notification")
            page.tell(next: found.continuationToken)
        }
    }
}
