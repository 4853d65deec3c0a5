import ArgumentParser
import HubClient

/// `belfry purge`.
struct PurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Takes back what was sent and has not arrived yet.",
        discussion: """
            Devices that were away are told how much they will not get. What has arrived stays
            where it is. There is no way back.

            Examples:
              belfry purge --data ./data --through 4711 --yes
              belfry purge --data ./data --older-than 3600 --yes
              belfry purge --data ./data --all --yes
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "The last place in the log that is purged; the number in a notification's id.")
    var through: UInt64?

    @Option(help: "Seconds: what was accepted longer ago is purged.")
    var olderThan: UInt64?

    @Flag(help: "Everything that was accepted until now.")
    var all = false

    @Flag(help: "Needed: says that it is meant.")
    var yes = false

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws {
        let extents = [through != nil, olderThan != nil, all].count { $0 }
        guard extents == 1 else {
            throw ValidationError("Name one of --through, --older-than and --all.")
        }
        guard yes else { throw ValidationError("Add --yes: what is purged does not come back.") }
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
