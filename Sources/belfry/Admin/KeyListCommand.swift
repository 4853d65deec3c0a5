import ArgumentParser

/// `belfry key list`.
struct KeyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "Lists the access rules of a hub with age and last use of their keys, and no key.",
        usage: "belfry key list [<options>]",
        discussion: """
            'used' is the hour of the last request, or of a device's first HELLO, that was signed \
            with the key.

            Examples:
              belfry key list --data ./data --hub hub
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func run() async throws {
        try await Row.show(KeyPage.self, of: hubOptions, json: json, KeyPage.path) { found in
            var table = TextTable(
                "rule",
                "rights",
                "primary made",
                "used",
                "secondary made",
                "used"
            )
            for rule in found.rules {
                table.add(
                    rule.name,
                    rule.rights.joined(separator: ","),
                    String(rule.primaryMade.prefix(10)),
                    Row.hour(rule.primaryUsed),
                    String(rule.secondaryMade.prefix(10)),
                    Row.hour(rule.secondaryUsed)
                )
            }
            table.show("the hub has no rules of its own")
        }
    }
}
