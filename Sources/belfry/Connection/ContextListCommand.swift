import ArgumentParser
import HubClient
import HubSender

/// `belfry context list`.
struct ContextListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists contexts, and no key.",
        discussion: """
            Examples:
              belfry context list
            """
    )

    @Flag(help: "Prints the contexts as JSON.")
    var json = false

    private struct Line: Encodable {
        var hub: String
        var key: String
        var name: String
        var server: String
        var used: Bool
    }

    func run() throws {
        let used = HubContext.used
        let lines = try HubContext.names.map { name in
            let context = try HubContext.read(name)
            let connection = try Connecting.parsed(context.connectionString)
            return Line(
                hub: context.hub ?? connection.hub ?? "",
                key: connection.keyName,
                name: name,
                server: "\(connection.host):\(connection.port)",
                used: name == used
            )
        }
        if json { return try Terminal.json(lines) }
        var table = TextTable("used", "context", "server", "hub", "key")
        for line in lines {
            table.add(line.used ? "*" : "", line.name, line.server, line.hub, line.key)
        }
        table.show("there is no context; 'belfry context add' makes one")
    }
}
