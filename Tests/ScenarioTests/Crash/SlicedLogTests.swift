import Foundation
import HubClient
import HubModel
import HubSender
import HubDatabase
import HubServer
import HubStore
import HubTestSupport
import HubVocabulary
import HubWire
import Testing

@testable import ScenarioSupport

/// A hub whose log is cut into many small files, sealed and removed while it works.
@Suite("A hub with a log of many slices")
struct SlicedLogTests {
    private static func configure(_ options: inout ServerOptions) {
        // Everything is read from the store, and a slice is full with two records.
        options.devices.sessionLimits.catchUp.recentRecordsMax = 0
        options.storage.limits.sliceRecordsMax = 2
        options.storage.limits.clockDoubtMilliseconds = 0
        options.coreLimits.log.recordsKeptSeconds = 0
    }

    /// Asks the writers until their log begins at a place.
    private func expectBegin(_ hub: HostedHub, at place: UInt64) async throws {
        try await eventually("a log that begins at \(place)") {
            await hub.server.gauges().allSatisfy { $0.gauges.logFirst >= place }
        }
    }

    @Test("gives a device that was away all that it missed, over all slices and in order")
    func catchesUp() async throws {
        try await HostedHub.run(configure: Self.configure) { hub in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            let phone = try await Phone.subscribed(hub.connection, choice)
            let store = phone.store
            await phone.close()
            await hub.expectNoConnections()
            let sender = try SenderClient(hub.connection)
            let payloads = (0..<9).map { #"{"aps":{"alert":"number \#($0)"}}"# }
            for payload in payloads {
                _ = try await sender.send(.native(.apple, body: Array(payload.utf8), tags: "World"))
            }
            let folder = hub.folder.file("hubs/hub")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasPrefix("log-") && $0.hasSuffix(".sqlite") }
            #expect(files.count == 5, "\(files)")
            let again = try Phone(hub.connection, store: store)
            try await again.receive(payloads.count)
            #expect(again.texts == payloads)
            await again.close()
            await sender.close()
        }
    }

    @Test("removes what has expired, and resumes a device whose place it no longer holds")
    func trims() async throws {
        try await HostedHub.run(configure: Self.configure) { hub in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            let phone = try await Phone.subscribed(hub.connection, choice)
            let store = phone.store
            await phone.close()
            await hub.expectNoConnections()
            let sender = try SenderClient(hub.connection)
            let body = Array(#"{"aps":{"alert":"now or never"}}"#.utf8)
            for _ in 0..<6 {
                var message = OutgoingNotification.native(.apple, body: body, tags: "World")
                message.headers = [.init(name: "apns-expiration", value: "0")]
                _ = try await sender.send(message)
            }
            try await expectBegin(hub, at: 7)
            let last = Array(#"{"aps":{"alert":"last"}}"#.utf8)
            _ = try await sender.send(.native(.apple, body: last, tags: "World"))
            let again = try Phone(hub.connection, store: store)
            try await again.receive(containing: "last")
            #expect(again.texts == [#"{"aps":{"alert":"last"}}"#])
            #expect(again.openings.map(\.outcome) == [.resumed])
            #expect(await hub.server.gauges().map(\.gauges.logHead) == [7])
            await again.close()
            await sender.close()
        }
    }

    @Test("says GAP in WELCOME when what was purged has left the log before a device came back")
    func purgeGone() async throws {
        try await HostedHub.run { options in
            Self.configure(&options)
            options.coreLimits.idempotency.idempotencyKeptSeconds = 0
        } _: { hub in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            let phone = try await Phone.subscribed(hub.connection, choice)
            await phone.close()
            await hub.expectNoConnections()
            let sender = try SenderClient(hub.connection)
            func send(_ text: String) async throws {
                let body = Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8)
                _ = try await sender.send(.native(.apple, body: body, tags: "World"))
            }
            for number in 1...4 { try await send("\(number)") }
            #expect(try await sender.purge(.through(4)).purgedThrough == 4)
            try await send("5")
            try await expectBegin(hub, at: 5)
            let again = try Phone(hub.connection, store: phone.store)
            try await again.receive(containing: "5")
            #expect(again.texts == [#"{"aps":{"alert":"5"}}"#])
            #expect(again.openings.map(\.outcome) == [.gap])
            await again.close()
            await hub.expectNoConnections()
            // It was told, and is not told again.
            let third = try Phone(hub.connection, store: phone.store)
            try await third.connected(times: 1)
            #expect(third.openings.map(\.outcome) == [.resumed])
            await third.close()
            await sender.close()
        }
    }

    @Test("tells its operator once when the log has grown beyond what was meant for it")
    func logSize() async throws {
        let hub = try await RunningHub.start()
        let sender = try SenderClient(hub.connection)
        do {
            _ = try await sender.settings(changing: ["logBytesWarned": 1_048_575])
            Issue.record("a size below the least was taken")
        } catch {
            #expect("\(error)".contains("logBytesWarned"), "\(error)")
        }
        let changed = try await sender.settings(changing: ["logBytesWarned": 1_048_576])
        #expect(changed.logBytesWarned == 1_048_576)
        @Sendable func isTold(_ lines: [String]) -> Bool {
            lines.contains { $0.contains("logTooLarge") }
        }
        let text = String(repeating: "x", count: 3_500)
        let body = Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8)
        #expect(!isTold(hub.program.output.events) && !isTold(hub.program.errors.events))
        for _ in 0..<320 {
            _ = try await sender.send(.native(.apple, body: body, tags: "World"))
        }
        try await hub.program.errors.wait(for: "a warning of the log's size") { isTold($0) }
        await sender.close()
        #expect(try await hub.terminate() == 0)
        #expect(hub.program.errors.events.count { $0.contains("logTooLarge") } == 1)
    }
}
