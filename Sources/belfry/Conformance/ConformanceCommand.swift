import ArgumentParser
import CommandTerminal
import Foundation
import HubSender
import HubConformance

/// `belfry conformance`.
struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Plays the device link's rules against your client, or against a hub.",
        discussion: """
            --listen plays a hub against a client of your making: point the client at the address \
            and let it trust the certificate that the kit writes. --connect plays a device \
            against a hub. Each rule of Protocol/ is told as kept, broken or not played, with \
            what was expected and what came. Exits 0 only when none is broken.

            Examples:
              belfry conformance --listen --certificate kit.pem
              belfry conformance --listen 0.0.0.0:9443 --name push.example.net \\
                --wake 'systemctl restart my-client'
              belfry conformance --data ./data --protocol Protocol
              belfry conformance --connect localhost:9443 --ca ./data/tls/ca.pem \\
                --connection-string-file key.txt --hub hub --only A-3 --json
              belfry conformance --list
            """
    )

    @Option(help: "The device port of a hub; with --data that of the folder's hub.")
    var connect: String?

    @Option(
        defaultAsFlag: "127.0.0.1:0",
        help: "Plays a hub at this address; without one on a free port of this machine."
    )
    var listen: String?

    @OptionGroup var hub: HubOptions
    @OptionGroup var played: PlayedRules
    @OptionGroup var lent: LentToKit
    @OptionGroup var client: PlayedHub

    func validate() throws {
        guard !played.list else { return }
        let hasHub = connect != nil || hub.data != nil
        guard hasHub != (listen != nil) else {
            throw ValidationError("Name a hub with --connect or --data, or play one with --listen.")
        }
        guard listen == nil || !hub.namesServer && hub.hub == nil && !lent.isGiven else {
            throw ValidationError("--listen plays the hub: it takes no keys of another.")
        }
        guard lent.token == nil || hub.connectionString == nil && hub.connectionStringFile == nil
        else { throw ValidationError("Give --token or a connection string.") }
        guard client.wake == nil || listen != nil else {
            throw ValidationError("--wake is for --listen.")
        }
    }

    func run() async throws {
        if played.list { return try played.showList() }
        let findings =
            if let listen {
                try await client.run(at: listen, played)
            } else {
                try await played.play(try lent.hub(connect, hub))
            }
        let broken = findings.count(where: \.isBroken)
        if !played.json {
            let kept = findings.count { $0.verdict == .kept }
            let others = findings.count - broken - kept
            Terminal.line("\(kept) kept, \(broken) broken, \(others) not played")
        }
        if broken > 0 { throw ExitCode(1) }
    }
}
