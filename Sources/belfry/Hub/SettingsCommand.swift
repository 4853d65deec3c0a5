import ArgumentParser
import CommandTerminal
import HubSender

/// `belfry settings`.
struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Shows or changes how long a hub keeps notifications for absent devices.",
        usage: "belfry settings [<options>]",
        discussion: """
            Examples:
              belfry settings --data ./data
              belfry settings --data ./data --device-cap 500 --ttl 86400
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "Seconds a notification lives when its send says nothing.")
    var ttl: UInt64?

    @Option(help: "Seconds a notification lives at most.")
    var retention: UInt64?

    @Option(help: "Notifications kept for one absence of a device.")
    var deviceCap: UInt64?

    @Option(help: "Bytes of the log above which a warning is logged and counted.")
    var logBytesWarned: UInt64?

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func run() async throws {
        var members: [String: UInt64] = [:]
        members["timeToLiveSeconds"] = ttl
        members["retentionSeconds"] = retention
        members["deviceCap"] = deviceCap
        members["logBytesWarned"] = logBytesWarned
        let changes = members
        let answer = try await Connecting.asking(hubOptions) { sender throws(SenderError) in
            try await sender.settings(changing: changes)
        }
        if json {
            Terminal.line(answer.json)
        } else {
            Terminal.line("time to live: \(answer.timeToLiveSeconds) s, when a send says nothing")
            Terminal.line("retention: \(answer.retentionSeconds) s at most")
            Terminal.line("device cap: \(answer.deviceCap) notifications")
            Terminal.line("warning from: \(answer.logBytesWarned) bytes of the log")
            Terminal.line("purged through: \(answer.purgedThrough)")
        }
    }
}
