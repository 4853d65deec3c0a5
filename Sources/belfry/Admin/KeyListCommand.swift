import ArgumentParser
import CommandTerminal
import HubExamination

/// `belfry key list`.
struct KeyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists access rules with age and last use of their keys, and no key.",
        usage: "belfry key list [<options>]",
        discussion: """
            'used' is the hour of the last request, or of a device's first HELLO, that was signed \
            with the key.

            Examples:
              belfry key list --data ./data --hub hub
              belfry key list --data ./data --namespace
            """
    )

    @OptionGroup var hubOptions: HubOptions
    @OptionGroup var level: KeyLevel

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws { try level.check(hubOptions) }

    func run() async throws {
        try await Row.show(
            KeyPage.self,
            of: hubOptions,
            isOfServer: level.namespace,
            json: json,
            KeyPage.path
        ) { found in
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
