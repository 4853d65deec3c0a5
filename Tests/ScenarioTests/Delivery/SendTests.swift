import AsyncHTTPClient
import Foundation
import HubClient
import HubDelivery
import HubMetrics
import HubModel
import HubServer
import HubStore
import HubVocabulary
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("A backend's send")
struct SendTests {
    /// What connects and subscribes, and what one template send to `World` must become there.
    private static let audience: [(name: String, choice: RegistrationChoice, gets: Bool)] = [
        ("apple", .news(.apple, tags: ["World", "Sports"]), true),
        ("gcm", .news(.gcm, tags: ["World"]), true),
        ("wns", .news(.windows, tags: ["world"]), true),
        ("other tag", .news(.apple, tags: ["Worlds"]), false),
        ("no tag", .news(.gcm, tags: []), false),
        ("native", RegistrationChoice(platform: .apple, tags: ["World"]), false),
    ]

    @Test(
        "is stored, answered 201 and reaches the subscribed devices only",
        arguments: [HTTPClient.Configuration.HTTPVersion.automatic, .http1Only]
    )
    func reaches(version: HTTPClient.Configuration.HTTPVersion) async throws {
        try await HostedHub.run { hub in
            var phones: [Phone] = []
            for member in Self.audience {
                phones.append(
                    try await .subscribed(hub.connection, name: member.name, member.choice)
                )
            }
            let caller = try RESTCaller(hub.connection, version: version)
            let message = "Breaking World News : the council has signed the treaty of the river"
            let answer = try await caller.send(#"{"messageParam":"\#(message)"}"#, tags: "World")
            #expect(answer.status == 201, "\(answer.text)")
            let spoken: HTTPVersion = version == .automatic ? .http2 : .http1_1
            #expect(answer.version == spoken)
            let id = try #require(answer.headers["location"]).split(separator: "?")[0]
                .split(separator: "/").last.map(String.init)
            #expect(answer.headers["trackingid"] != nil)

            // A broadcast comes after it: who has that has everything.
            let after = try await caller.send(#"{"messageParam":"to everybody"}"#)
            #expect(after.status == 201)
            for (phone, member) in zip(phones, Self.audience) {
                guard member.choice.template != nil else {
                    #expect(phone.received == [])
                    continue
                }
                try await phone.receive(containing: "to everybody")
                let form = NewsFormat.payload(member.choice.platform, message)
                let received = phone.received.filter { $0.text == form }
                #expect(received.count == (member.gets ? 1 : 0), "\(phone.name): \(phone.texts)")
                #expect(phone.received.count == (member.gets ? 2 : 1), "\(phone.name)")
                if let first = received.first {
                    #expect(
                        id?.hasPrefix("\(first.id.uuidText.replacing("-", with: ""))-") == true,
                        "\(phone.name)"
                    )
                    #expect(first.platform == member.choice.platform)
                    #expect(first.isTemplate)
                }
            }
            let deliveries = 3 + 5
            try await hub.report(of: "\(deliveries) acknowledged") { reports in
                reports.reduce(0) { $0 + $1.core.acknowledged } == deliveries
            }
            for phone in phones { await phone.close() }
            await caller.close()
            await hub.expectNoConnections()
        }
    }

    @Test("a native send reaches the native registrations of its platform unchanged")
    func native() async throws {
        try await HostedHub.run { hub in
            let apple = try await Phone.subscribed(
                hub.connection,
                name: "apple",
                RegistrationChoice(platform: .apple, tags: ["World"])
            )
            let wns = try await Phone.subscribed(
                hub.connection,
                name: "wns",
                RegistrationChoice(platform: .windows, tags: ["World"])
            )
            let caller = try RESTCaller(hub.connection)
            let body = #"{ "aps" : { "alert":"exact  bytes" } }"#
            let toast = NewsFormat.payload(.windows, "a toast")
            let first = try await caller.send(
                body,
                format: "apple",
                tags: "World && !Sports",
                headers: ["apns-collapse-id": "one", "apns-priority": "10"]
            )
            let second = try await caller.send(
                toast,
                format: "windows",
                tags: "World || Sports",
                headers: ["X-WNS-Type": "wns/toast"]
            )
            #expect(first.status == 201 && second.status == 201)
            try await apple.receive(1)
            try await wns.receive(1)
            #expect(apple.texts == [body])
            #expect(apple.received[0].collapseKey == "one")
            #expect(wns.texts == [toast])
            #expect(wns.received[0].headers.contains { $0.value == "wns/toast" })
            for phone in [apple, wns] { await phone.close() }
            await caller.close()
        }
    }

    @Test("everything answered 201 is in the log of the store")
    func isDurable() async throws {
        let hub = try await HostedHub()
        let caller = try RESTCaller(hub.connection)
        var identifiers: [String] = []
        for number in 0..<5 {
            let answer = try await caller.send(#"{"messageParam":"\#(number)"}"#, tags: "World")
            #expect(answer.status == 201)
            let name = answer.headers["location"]?.split(separator: "/").last
            identifiers.append(String(name?.split(separator: "-").first ?? ""))
        }
        await caller.close()
        try await hub.stop()

        let store = try SQLiteStore(folder: hub.folder.file("hubs/hub"), epochSeed: 1)
        let stored = try store.reader.records(after: 0, through: 5, limit: 10, bytesMax: 1_000_000)
        #expect(stored.map(\.id.text) == identifiers)
        #expect(stored.map(\.sequence) == [1, 2, 3, 4, 5])
    }
}
