import Foundation
import HubData
import HubDirectory
import HubModel
import HubREST
import HubRules
import HubTestSupport
import HubTransport
import HubVocabulary
import Logging
import Synchronization
import Testing

@testable import HubServer

@Suite("Settings read again", .timeLimit(.minutes(1)))
struct ReloadTests {
    private let lines = LoggedLines()
    private let place = TemporaryFolder()

    private func settings(_ file: String) async throws -> ServerSettings {
        try place.write(file, to: "belfry.json")
        return try await ServerSettings.load(flags: [:], environment: [:], data: place.path)
    }

    /// A server that began with one file and reads another one now.
    private func reload(_ before: String, _ after: String) async throws -> RunningHub {
        _ = try DataFolder(path: place.path)
        let begun = try await settings(before).options
        try place.write(after, to: "belfry.json")
        let hub = try await RunningHub(logger: lines.logger) { options in
            options.settings = begun.settings
            options.reloading = Reloading(level: lines.level) { [path = place.path] in
                try await ServerSettings.load(flags: [:], environment: [:], data: path)
            }
        }
        await hub.server.reloadSettings()
        return hub
    }

    @Test("change the level of the log at once")
    func level() async throws {
        let hub = try await reload("{}", #"{"log": {"level": "debug"}}"#)
        #expect(lines.level.present == .debug)
        let told = try lines.members("setting changed")
        #expect(told.map { $0["setting"] } == ["log.level"])
        #expect(told.map { $0["from"] } == ["info"] && told.map { $0["to"] } == ["debug"])
        await hub.server.reloadSettings()
        #expect(try lines.members("setting changed").count == 1)
        try await hub.stop()
    }

    @Test("change limits of hubs and addresses at once, also of a hub that is made later")
    func limits() async throws {
        let file = #"""
            {"registrations": {"max": 5, "per": {"minute": {"key": 7, "address": 8}}},
             "tags": {"max": 6, "bytes": {"max": 2048},
                      "expression": {"max": 21, "mixed": {"max": 11}, "bytes": 5000}},
             "schedule": {"horizon": {"seconds": 60}},
             "rest": {"connections": {"per": {"address": 1}}}}
            """#
        let hub = try await reload("{}", file)
        let roster = hub.server.roster
        let told = try lines.members("setting changed").compactMap { $0["setting"] }
        #expect(Set(told) == SettingChange.reloaded.subtracting(["log.level"]))
        let made = try #require(HubName("later"))
        let change = NamespaceChange.createHub(made, HubDefinition())
        let isMade = await withCheckedContinuation { continuation in
            roster.submit(change) { continuation.resume(returning: (try? $0.get()) != nil) }
        }
        #expect(isMade)
        for member in roster.members {
            let quota: HubQuota? = await withCheckedContinuation { continuation in
                let isAsked = member.hub.writer.inspect { continuation.resume(returning: $0.quota) }
                if !isAsked { continuation.resume(returning: nil) }
            }
            #expect(quota?.registrationsMax == 5 && quota?.tagsMax == 6)
            #expect(quota?.tagBytesMax == 2_048 && quota?.newPerKeyPerMinute == 7)
            #expect(quota?.newPerAddressPerMinute == 8)
        }
        let limits = hub.server.restConfiguration.limits
        #expect(limits.expressions == (21, 11, 5_000))
        #expect(limits.schedules.scheduleHorizonSeconds == 60)
        let client = try SocketAddress(numeric: "192.0.2.1", port: 1)
        #expect(roster.addresses.enter(client) && !roster.addresses.enter(client))
        #expect(roster.settings.first { $0.name == "registrations.max" }?.value == "5")
        try await hub.stop()
    }

    @Test("name those that wait for a restart")
    func waiting() async throws {
        let hub = try await reload(#"{"shards": 1}"#, #"{"shards": 2, "names": "a.example"}"#)
        let told = try lines.members(
            "settings differ that are read at the start alone: restart the server"
        )
        #expect(told.map { $0["settings"] } == ["shards names"])
        try await hub.stop()
    }

    @Test("leave everything as it is when one cannot be understood")
    func broken() async throws {
        let hub = try await reload("{}", #"{"log": {"level": "debug"}, "shards": "many"}"#)
        #expect(lines.level.present == .info)
        let told = try lines.members("settings not reloaded, the old ones stay")
        #expect(told.map { $0["reason"] } == ["shards: 'many' is no number"])
        try await hub.stop()
    }
}
