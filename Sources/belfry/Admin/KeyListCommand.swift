import ArgumentParser

/// `belfry key list`.
struct KeyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the access rules of a hub with the age of their keys, and no key.",
        discussion: """
            Examples:
              belfry key list --data ./data --hub hub
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    private struct Page: Decodable {
        struct Rule: Decodable {
            var name: String
            var primaryMade: String
            var rights: [String]
            var secondaryMade: String
        }

        var rules: [Rule]
    }

    func run() async throws {
        try await Row.show(Page.self, of: hubOptions, json: json, "$belfry/keys") { found in
            var table = TextTable("rule", "rights", "primary made", "secondary made")
            for rule in found.rules {
                table.add(
                    rule.name,
                    rule.rights.joined(separator: ","),
                    Row.second(rule.primaryMade),
                    Row.second(rule.secondaryMade)
                )
            }
            table.show("the hub has no rules of its own")
        }
    }
}
