import ArgumentParser
import CommandTerminal
import HubVocabulary
import PhoneScreen

/// `belfry notification show`.
struct NotificationShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows every counter of a notification, by platform.",
        usage: "belfry notification show <notification> [<options>]",
        discussion: """
            'belfry explain' says why one device did or did not get it.

            Examples:
              belfry notification show --data ./data 0193a5c2d7e37b5a917d5c0a9be83f10
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Argument(help: "Its id, as 'belfry send' and 'belfry notification list' print it.")
    var notification: String

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    private struct Counters: Decodable {
        var accepted: String
        var expires: String
        var fannedOut: String?
        var notification: String
        var platforms: [String: [String: UInt64]]
        var state: String
    }

    func validate() throws { try GivenIdentifier.checkNotification(notification) }

    func run() async throws {
        try await Row.show(
            Counters.self,
            of: hubOptions,
            json: json,
            "$belfry/telemetry",
            ["notification": notification]
        ) { found in
            Terminal.line(SafeText.line("\(found.notification)  \(found.state)"))
            Terminal.line(
                "accepted \(Row.second(found.accepted)), until \(Row.second(found.expires))"
            )
            if let time = found.fannedOut { Terminal.line("fanned out \(Row.second(time))") }
            var table = TextTable("platform", "counter", "count")
            for (platform, counters) in found.platforms.sorted(by: { $0.key < $1.key }) {
                for (name, count) in counters.sorted(by: { $0.key < $1.key }) where count > 0 {
                    table.add(Platform.shown(platform), name, "\(count)")
                }
            }
            table.show("no registration is counted")
        }
    }
}
