import ArgumentParser
import CommandTerminal
import HubRelay
import HubSender

/// `belfry hub credential show`.
struct ShowCredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows which credentials a hub has; never a secret.",
        usage: "belfry hub credential show [<options>]",
        discussion: """
            A mask stands in place of each secret. It changes when the secret does.

            Examples:
              belfry hub credential show --data ./data
              belfry hub credential show --data ./data --hub news
            """
    )

    @OptionGroup var hubOptions: HubOptions

    func run() async throws {
        let found = try await Connecting.administering(hubOptions) {
            sender throws(SenderError) in try await RelayAdministration(sender).credentials()
        }
        if found.isEmpty { Terminal.line("no credentials") }
        for (element, properties) in found {
            let unused = CredentialKind(name: element)?.unusedBecause
            Terminal.line(element + (unused.map { ", not used: \($0)" } ?? ""))
            for (name, value) in properties { Terminal.line("  \(name): \(value)") }
        }
    }
}
