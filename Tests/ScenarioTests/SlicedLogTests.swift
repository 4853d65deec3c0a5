import Foundation
import HubClient
import HubCore
import HubServer
import HubStore
import HubWire
import Testing

/// A hub whose log is cut into many small files, sealed and removed while it works.
@Suite("A hub with a log of many slices")
struct SlicedLogTests {
    private static func configure(_ options: inout ServerOptions) {
        // Everything is read from the store, and a slice is full with two records.
        options.sessionLimits.recentRecordsMax = 0
        options.storeLimits.sliceRecordsMax = 2
        options.storeLimits.clockDoubtMilliseconds = 0
        options.coreLimits.recordsKeptSeconds = 0
    }

    /// Asks the writers until their log begins at a place.
    private func begins(_ hub: HostedHub, at place: UInt64) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if await hub.server.gauges().allSatisfy({ $0.gauges.logFirst >= place }) { return true }
            await Task.yield()
        }
        return false
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
            #expect(await begins(hub, at: 7))
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
}
