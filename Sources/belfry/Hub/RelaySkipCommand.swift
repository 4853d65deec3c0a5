import ArgumentParser
import CommandTerminal
import HubSender

/// `belfry relay skip`.
struct RelaySkipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Has a relay give up the notifications up to a place in the log.",
        usage: "belfry relay skip <service> --through <through> [<options>]",
        discussion: """
            For a relay that is far behind: what waits up to the place ends as purged, for this \
            platform's service alone. Devices on Belfry's own link get theirs. A place is a number, \
            as "relay status" shows it, or the id of a notification.

            The answer comes once the word is stored: a crash does not forget it. While the store \
            refuses, the answer says so; repeat the command then.

            Examples:
              belfry relay skip apns --through 4711 --data ./data
              belfry relay skip fcm --through 4711 --data ./data --json
            """
    )

    @Argument(help: "The service.")
    var service: RelayService

    @Option(help: "The last notification that is given up: its id, or its place in the log.")
    var through: String

    @OptionGroup var hubOptions: HubOptions

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws {
        _ = try service.format()
        guard place != nil else {
            throw ValidationError("--through must be a place in the log, or a notification's id.")
        }
    }

    /// Of an id the part behind the time.
    private var place: UInt64? {
        let parts = through.split(separator: "-", omittingEmptySubsequences: false)
        let text = parts.count == 4 ? parts[2] : through[...]
        return UInt64(text).flatMap { (1...UInt64(Int.max)).contains($0) ? $0 : nil }
    }

    func run() async throws {
        guard let place else { return }
        let word = try service.format()
        let (skip, text) = try await Connecting.asking(hubOptions) {
            sender throws(SenderError) in
            try await RelayAdministration(sender).skip(word, through: place)
        }
        guard !json else { return Terminal.line(text) }
        Terminal.line("\(service): gave up \(skip.ended) notifications for one device each")
        if skip.unread > 0 {
            Terminal.line("  \(skip.unread) more places of the log are passed over unread")
        }
    }
}
