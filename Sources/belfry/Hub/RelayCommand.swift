import ArgumentParser
import HubSender

/// `belfry relay`.
struct RelayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Looks after a hub's relays to push services.",
        subcommands: [
            RelayStatusCommand.self, RelayCheckCommand.self, RelaySkipCommand.self,
        ]
    )
}

/// `belfry relay status`.
struct RelayStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says how far each relay has come, and why one rests.",
        usage: "belfry relay status [<options>]",
        discussion: """
            Examples:
              belfry relay status --data ./data
              belfry relay status --data ./data --json
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func run() async throws {
        let (relays, text) = try await Connecting.asking(hubOptions) {
            sender throws(SenderError) in try await RelayAdministration(sender).relays()
        }
        guard !json else { return Terminal.line(text) }
        if relays.isEmpty { Terminal.line("no relays: no credential is set") }
        for (platform, relay) in relays.sorted(by: { $0.key < $1.key }) {
            Terminal.line("\(platform): \(relay.cause.map { "rests, \($0)" } ?? "sends")")
            Terminal.line(
                "  done up to \(relay.place), \(relay.behind) behind, \(relay.open) open, "
                    + "\(relay.deferred) deferred"
            )
        }
    }
}
