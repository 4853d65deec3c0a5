import ArgumentParser
import Foundation
import HubSender

/// `belfry reload`.
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Has a running hub read its certificate and its log's level again.",
        discussion: """
            Devices stay connected. The hub's log says what changed, and which settings of \
            belfry.json wait for a restart.

            Examples:
              belfry reload --data ./data
            """
    )

    @Option(help: "The data folder of a running hub (reads its connection.json).")
    var data: String

    func run() throws {
        let process = try Connecting.file(data).pid
        guard kill(process, SIGHUP) == 0 else {
            throw Failure(
                errno == EPERM
                    ? "process \(process) is another user's: run this as that user"
                    : "process \(process) is gone: is \"belfry serve\" running?"
            )
        }
        Terminal.line("asked process \(process); its log says what changed")
    }
}
