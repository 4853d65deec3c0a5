import ArgumentParser
import CommandTerminal

/// `belfry audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Lists the changes of administrators, the newest first.",
        usage: "belfry audit [<options>]",
        discussion: """
            A change is there before its request is answered: hubs, keys, settings, purges, \
            revoked devices, jobs. An act in the console has a line before it, and one with its \
            result. 'tracking' with --json is the TrackingId of the answer.

            --since and --until take a time as 'belfry notification list' does.

            Examples:
              belfry audit --data ./data
              belfry audit --data ./data --since 2h --until 1h
              belfry audit --data ./data --top 100 --json
            """
    )

    @OptionGroup var hubOptions: HubOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var span: SpanOptions

    private struct Page: Decodable {
        struct Entry: Decodable {
            var by: String?
            var operation: String
            var result: String?
            var rule: String
            var subject: String
            var time: String
        }

        var continuationToken: String?
        var entries: [Entry]
    }

    func validate() throws { try hubOptions.refuseHub(since: "The command is about all hubs") }

    func run() async throws {
        let (since, until) = try span.texts()
        try await Row.show(
            Page.self,
            of: hubOptions,
            isOfServer: true,
            json: page.json,
            "$belfry/audit",
            [
                "$top": "\(page.top)", "continuationtoken": page.after,
                "since": since, "until": until,
            ]
        ) { found in
            var table = TextTable("time", "operation", "result", "rule", "by", "of")
            for entry in found.entries {
                table.add(
                    Row.second(entry.time),
                    entry.operation,
                    entry.result ?? "",
                    entry.rule,
                    entry.by ?? "",
                    entry.subject
                )
            }
            let isAll = since == nil && until == nil
            let isLast = found.continuationToken == nil
            table.show(
                isAll ? "nothing was changed yet" : "no such change\(isLast ? "" : " so far")"
            )
            page.tell(next: found.continuationToken)
        }
    }
}
