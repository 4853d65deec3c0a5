import ArgumentParser
import CommandTerminal
import Foundation
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
        abstract: "Says how far and how fast each relay is, and why one rests.",
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
            if let oldest = relay.oldest {
                Terminal.line("  \(relay.waiting) to send, the oldest since \(oldest)")
            }
            Terminal.line("  \(Self.pace(relay))")
            Terminal.line("  \(Self.credential(relay))")
        }
    }

    /// How fast a relay is; the time that it needs for the open notifications is the least for all.
    private static func pace(_ relay: RelayStateAnswer) -> String {
        let rate = String(format: "%.1f", relay.rate)
        let text = "\(relay.answers) answered, \(rate) a second"
        guard let seconds = relay.secondsLeft else { return text }
        let word = relay.behind == 0 ? "about" : "more than"
        return "\(text), done in \(word) \(Int(seconds.rounded(.up))) s"
    }

    private static func credential(_ relay: RelayStateAnswer) -> String {
        let state =
            switch relay.credential {
            case "works": "the credential works"
            case "refused": relay.refusal ?? "the credential is refused"
            default: "the credential is untried: belfry relay check"
            }
        return relay.certificateEnd.map { "\(state); its certificate ends \($0)" } ?? state
    }
}
