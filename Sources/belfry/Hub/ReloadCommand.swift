import ArgumentParser
import CommandTerminal
import Foundation
import HubData
import HubSender
import HubServer

/// `belfry reload`.
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Has a running hub read its certificate, limits and log's level again.",
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
        guard process > 1, try isHeld() else {
            throw Failure("no hub runs on \(data): is \"belfry serve\" running?")
        }
        guard kill(process, SIGHUP) == 0 else {
            throw Failure(
                errno == EPERM
                    ? "process \(process) is another user's: run this as that user"
                    : "process \(process) is gone: is \"belfry serve\" running?"
            )
        }
        Terminal.line("asked process \(process); its log says what changed")
    }

    /// Whether a hub holds the folder; a file of one that was killed names a process of others.
    private func isHeld() throws -> Bool {
        do throws(ServerError) {
            try DataFolder(path: data).release()
            return false
        } catch {
            if case .folderInUse = error { return true }
            throw Failure("\(error)")
        }
    }
}
