import ArgumentParser
import HubClient

/// `belfry settings`.
struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Shows or changes how long a hub keeps what for absent devices.",
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
        let answer = try await SettingsCommand.ask(hubOptions) { sender throws(SenderError) in
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

    /// Asks a hub and leaves it.
    static func ask(
        _ options: HubOptions,
        _ question: @Sendable (SenderClient) async throws(SenderError) -> HubSettingsAnswer
    ) async throws -> HubSettingsAnswer {
        let sender = try Connecting.sender(options)
        do throws(SenderError) {
            let answer = try await question(sender)
            await sender.close()
            return answer
        } catch {
            await sender.close()
            throw Failure(error)
        }
    }
}

/// `belfry purge`.
struct PurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Takes back what was sent and has not arrived yet.",
        discussion: """
            Devices that were away are told how much they will not get. What has arrived stays
            where it is. There is no way back.

            Examples:
              belfry purge --data ./data --through 4711 --yes
              belfry purge --data ./data --older-than 3600 --yes
              belfry purge --data ./data --all --yes
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "The last place in the log that is purged; the number in a notification's id.")
    var through: UInt64?

    @Option(help: "Seconds: what was accepted longer ago is purged.")
    var olderThan: UInt64?

    @Flag(help: "Everything that was accepted until now.")
    var all = false

    @Flag(help: "Needed: says that it is meant.")
    var yes = false

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws {
        let extents = [through != nil, olderThan != nil, all].count { $0 }
        guard extents == 1 else {
            throw ValidationError("Name one of --through, --older-than and --all.")
        }
        guard yes else { throw ValidationError("Add --yes: what is purged does not come back.") }
    }

    func run() async throws {
        let extent: SenderClient.Purge =
            if let olderThan {
                .olderThan(seconds: olderThan)
            } else {
                .through(through ?? .max)
            }
        let answer = try await SettingsCommand.ask(hubOptions) { sender throws(SenderError) in
            try await sender.purge(extent)
        }
        Terminal.line(json ? answer.json : "purged through \(answer.purgedThrough)")
    }
}
