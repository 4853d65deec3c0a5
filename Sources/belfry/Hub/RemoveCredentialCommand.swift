import ArgumentParser
import CommandTerminal
import HubRelay
import HubSender

/// `belfry hub credential remove`.
struct RemoveCredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a credential; nothing is relayed to its service any more.",
        usage: "belfry hub credential remove <service> [<options>]",
        discussion: """
            Notifications that wait for the service are not relayed, also when the credential is \
            set again.

            Examples:
              belfry hub credential remove apns --data ./data
              belfry hub credential remove fcm --data ./data
            """
    )

    @Argument(help: "apns, fcm, browser, wns, adm, gcm, mpns, baidu or xiaomi.")
    var service: CredentialService

    @OptionGroup var hubOptions: HubOptions

    func run() async throws {
        let element = service.kind.rawValue
        _ = try await Connecting.administering(hubOptions) { sender throws(SenderError) in
            try await RelayAdministration(sender).change([(element: element, properties: [])])
        }
        Terminal.line("removed \(element)")
    }
}
