import ArgumentParser
import CommandTerminal
import HubClient
import HubData
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

    private func line(_ name: String, isUsed: Bool) throws -> Line {
        let context = try HubContext.read(name)
        guard let connection = try? ConnectionString(parsing: context.connectionString) else {
            // The reason could show a part of the key.
            throw Failure("the connection string of '\(name)' cannot be read: add it again")
        }
        return Line(
            hub: context.hub ?? connection.hub ?? "",
            key: connection.keyName,
            name: name,
            server: "\(connection.host):\(connection.port)",
            used: isUsed
        )
    }

    func run() throws {
        let used = HubContext.used
        var lines: [Line] = []
        for name in HubContext.names {
            do {
                lines.append(try line(name, isUsed: name == used))
            } catch {
                // The others can be used all the same.
                Terminal.note("left out: \(Failure(error))")
            }
        }
        if json { return try Terminal.json(lines) }
        var table = TextTable("used", "context", "server", "hub", "key")
        for line in lines {
            table.add(line.used ? "*" : "", line.name, line.server, line.hub, line.key)
        }
        table.show("there is no context; 'belfry context add' makes one")
    }
}
