import ArgumentParser
import CommandTerminal
import HubExamination

/// `belfry hub list`.
struct HubListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the hubs of a server with their numbers.",
        usage: "belfry hub list [<options>]",
        discussion: """
            Needs the key of all hubs, which a data folder has.

            Examples:
              belfry hub list --data ./data
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws { try hubOptions.refuseHub(since: "The command is about all hubs") }

    func run() async throws {
        try await Row.show(
            HubNumbers.self,
            of: hubOptions,
            isOfServer: true,
            json: json,
            HubNumbers.path
        ) { found in
            var table = TextTable(
                "hub",
                "connected",
                "devices",
                "registrations",
                "sent",
                "log bytes"
            )
            for hub in found.hubs {
                let numbers = hub.numbers
                func shown(_ number: Int?) -> String { number.map(String.init) ?? "-" }
                table.add(
                    hub.name,
                    shown(numbers?.connected),
                    shown(numbers?.devices),
                    shown(numbers?.registrations),
                    shown(numbers?.logHead),
                    shown(numbers?.logBytes)
                )
            }
            table.show("there is no hub; 'belfry hub add NAME' makes one")
        }
    }
}
