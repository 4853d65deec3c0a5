import ArgumentParser
import DeviceEmulator
import Foundation
import HubSender

/// `belfry tail`.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Prints each notification that the hub accepts, as it comes.",
        discussion: """
            Control-C ends it. No payload is shown; of a burst the newest hundred of a second are.

            Examples:
              belfry tail --data ./data
              belfry tail --data ./data --json
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Flag(help: "Prints each notification as a line of JSON.")
    var json = false

    func run() async throws {
        try await Signals.cancelling { [self] in
            var last: UInt64?
            while true {
                let text: String
                do {
                    text = try await Connecting.asking(hubOptions) { sender throws(SenderError) in
                        try await sender.row(.get, NotificationPage.path, ["$top": "100"])
                    }
                } catch  where Task.isCancelled {
                    return
                }
                let found = try Row.read(text, as: NotificationPage.self).notifications
                if let last {
                    for entry in found.reversed() where entry.place > last { show(entry) }
                }
                last = found.first?.place ?? last ?? 0
                // Cancelled by a signal: the user has seen enough.
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
            }
        }
    }

    private func show(_ entry: NotificationPage.Entry) {
        if json { return Terminal.line(json: entry) }
        let to = SafeText.line(entry.tags ?? entry.receivers)
        Terminal.line(
            "\(Row.second(entry.accepted))  \(entry.id.prefix(32))  \(entry.format)  \(to)"
        )
    }
}
