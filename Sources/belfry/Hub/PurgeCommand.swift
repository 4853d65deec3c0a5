import ArgumentParser
import CommandTerminal
import HubSender

/// `belfry purge`.
struct PurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Takes back notifications that have not arrived yet.",
        usage: "belfry purge [<options>]",
        discussion: """
            Devices that were away are told how much they will not get. Notifications that have \
            arrived stay on their devices. A purge cannot be undone.

            Examples:
              belfry purge --data ./data --through 4711 --yes
              belfry purge --data ./data --older-than 3600 --yes
              belfry purge --data ./data --all --yes
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "Purges through this place in the log, the number in a notification's id.")
    var through: UInt64?

    @Option(help: "Purges notifications that were accepted more than so many seconds ago.")
    var olderThan: UInt64?

    @Flag(help: "Purges all notifications that were accepted until now.")
    var all = false

    @Flag(help: "Needed, since a purge cannot be undone.")
    var yes = false

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws {
        let extents = [through != nil, olderThan != nil, all].count { $0 }
        guard extents == 1 else {
            throw ValidationError("Name one of --through, --older-than and --all.")
        }
        guard yes else { throw ValidationError("Add --yes: a purge cannot be undone.") }
    }

    func run() async throws {
        let extent: SenderClient.Purge =
            if let olderThan {
                .olderThan(seconds: olderThan)
            } else {
                .through(through ?? .max)
            }
        let answer = try await Connecting.asking(hubOptions) { sender throws(SenderError) in
            try await sender.purge(extent)
        }
        Terminal.line(json ? answer.json : "purged through \(answer.purgedThrough)")
    }
}
