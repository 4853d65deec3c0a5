import ArgumentParser
import CommandTerminal
import Foundation
import HubSender

/// `belfry revoke`.
struct RevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Makes the key of a device worthless.",
        usage: "belfry revoke --device <device> [<options>]",
        discussion: """
            For a device that was lost, or whose key has become known. Its session ends, its key and \
            its push handle prove nothing any more; it comes back as a new device with a token.

            Examples:
              belfry revoke --data ./data --device 0193a5c2d7e37b5a917d5c0a9be83f10
              belfry revoke --data ./data --device 0193a5c2d7e37b5a917d5c0a9be83f10 \\
                --json
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "The device's id, or its push handle.")
    var device: String

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws { try GivenIdentifier.checkDevice(device) }

    func run() async throws {
        let answer = try await Connecting.asking(hubOptions) { sender throws(SenderError) in
            try await sender.revoke(device: device)
        }
        Terminal.line(
            json ? answer.json : "revoked \(answer.device), key generation \(answer.generation)"
        )
    }
}
