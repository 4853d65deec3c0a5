import ArgumentParser
import CommandTerminal
import Foundation
import HubClient
import HubVocabulary

/// `belfry token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints a token for curl and other programs that speak HTTP.",
        usage: "belfry token [<options>]",
        discussion: """
            It is the value of the header Authorization, and a secret until it ends. It opens what \
            the key of the connection string opens; of a data folder, --rights chooses the key.

            Examples:
              curl --cacert data/tls/ca.pem https://localhost:8443/hub/messages \\
                -H "Authorization: $(belfry token --data ./data --rights send)" \\
                -H 'ServiceBusNotification-Format: apple' -d '{"aps":{"alert":"Hello"}}'
              belfry token --connection-string-file key.txt --hub hub --minutes 5
            """
    )

    /// The keys of a data folder.
    enum Rights: String, CaseIterable, ExpressibleByArgument {
        case full
        case listen
        case send
        case namespace
    }

    private static let minutesMax = 1_440

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "With --data: full, listen, send, or namespace for all hubs. (default: full)")
    var rights: Rights?

    @Option(help: "How long it is valid.")
    var minutes = 60

    func validate() throws {
        guard (1...Self.minutesMax).contains(minutes) else {
            throw ValidationError("--minutes must be 1 to \(Self.minutesMax).")
        }
        if rights != nil, hubOptions.data == nil {
            throw ValidationError("--rights belongs to --data; a connection string has one key.")
        }
        if rights == .namespace, hubOptions.hub != nil {
            throw ValidationError("The key of the namespace opens all hubs: it has no --hub.")
        }
    }

    func run() throws {
        let (connection, hub) = try Connecting.key(hubOptions, rights ?? .full)
        let token = SharedAccessSigner(connection).token(
            host: connection.host,
            path: rights == .namespace ? "" : hub,
            expiry: UInt64(Date().timeIntervalSince1970) + UInt64(minutes) * 60
        )
        Terminal.line(token)
    }
}
