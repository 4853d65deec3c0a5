import Foundation
import DeviceEmulator
import GRDB
import HubClient
import HubSender
import HubTestSupport
import Testing

@testable import HubClientExamples
@testable import ScenarioSupport

/// The SDK's examples, each against a hub over real sockets, as they stand in the documents.
@Suite("The SDK's examples")
struct ExampleTests {
    /// What an example shows its user.
    private typealias Shown = EventLog<String>

    /// A hub, a sender with its full key, and a folder for the phones.
    private static func run(
        _ body: (HostedHub, SenderClient) async throws -> Void
    ) async throws {
        try await HostedHub.run { hub in
            let sender = try SenderClient(hub.connection, retries: .standard)
            do {
                try await body(hub, sender)
            } catch {
                await sender.close()
                throw error
            }
            await sender.close()
        }
    }

    private static func device(_ hub: HostedHub, _ name: String) throws -> DeviceClient {
        try DeviceClient(hub.connection, statePath: hub.folder.file(name + ".state"))
    }

    /// Runs a receiver until `body` has ended.
    private static func receiving(
        on device: DeviceClient,
        _ receiver: @escaping @Sendable (Shown) async -> Void,
        _ body: (Shown) async throws -> Void
    ) async throws {
        let shown = Shown()
        let task = Task { await receiver(shown) }
        do {
            try await body(shown)
        } catch {
            await device.close()
            throw error
        }
        await device.close()
        await task.value
    }

    @Test("in the app's own database each notification is stored once, with the device's place")
    func ownDatabase() async throws {
        try await Self.run { hub, sender in
            let pool = try DatabasePool(path: hub.folder.file("news.sqlite"))
            func texts() throws -> [String] {
                try pool.read { try News.order(Column("rowid")).fetchAll($0).map(\.text) }
            }
            for (round, text) in ["first", "second"].enumerated() {
                let device = try newsDevice(hub.connection, pool)
                for await event in device.events {
                    if case .registered = event { break }
                }
                let alert = PlatformPayload.alert(text, on: .apple)
                _ = try await sender.send(.native(.apple, body: Array(alert.utf8), tags: "World"))
                for await event in device.events {
                    if case .notification = event { break }
                }
                await device.close()
                #expect(try texts().count == round + 1)
            }
            #expect(try texts() == ["first", "second"])
        }
    }

    @Test("first steps: one sends, one receives")
    func firstSteps() async throws {
        try await Self.run { hub, _ in
            let file = hub.connection
            let state = hub.folder.file("first.state")
            // Registered first: what was sent before is not for it.
            let phone = try DeviceClient(file, statePath: state)
            let body = #"{"aps":{"alert":"$(messageParam)"}}"#
            phone.register(
                .template(platform: .apple, name: "hello", body: body, tags: ["World"])
            )
            for await event in phone.events {
                if case .registered = event { break }
            }
            await phone.close()
            let id = try await sendHello(file.connectionStrings.send, caPath: file.ca)
            #expect(!id.isEmpty)
            // The same registration again changes nothing, and what waited comes.
            #expect(try await receiveOne(file, statePath: state) == "Hello")
        }
    }

    @Test("every kind of send is taken and arrives in its platform's form")
    func kinds() async throws {
        try await Self.run { hub, sender in
            let phone = try await Phone.subscribed(
                hub.connection,
                .news(.windows, tags: ["Sports"])
            )
            for (slot, platform) in zip(
                UInt16(1)...,
                [Platform.apple, .gcm, .fcmV1, .adm, .windows, .windowsPhone, .xiaomi]
            ) {
                try await phone.register(
                    RegistrationChoice(slot: slot, platform: platform, tags: ["World"])
                )
            }
            let other = try await Phone.bare(hub.connection, name: "other")
            try await sendInEveryWay(sender, handle: phone.handle, other: other.handle)
            let received = try await phone.receive(11)
            let texts = received.map {
                "\($0.platform.map(\.commandLineName) ?? "-") \($0.text ?? "")"
            }
            let toast =
                #"<toast><visual><binding template="ToastText01"><text id="1">Hello</text>"#
                + "</binding></visual></toast>"
            #expect(
                texts == [
                    "wns \(toast)",
                    #"apple {"aps":{"alert":"Hello","badge":1,"sound":"bell"},"id":"7"}"#,
                    #"gcm {"data":{"message":"Hello","id":"7"}}"#,
                    #"fcm {"message":{"data":{"message":"Hello"}}}"#,
                    #"adm {"data":{"message":"Hello"}}"#,
                    "wns \(toast)",
                    "mpns " + PlatformPayload.alert("Hello", on: .windowsPhone),
                    #"xiaomi {"data":{"message":"Hello"}}"#,
                    #"apple {"aps":{"alert":"Only you"}}"#,
                    #"apple {"aps":{"alert":"Both"}}"#,
                    #"apple {"aps":{"alert":"Hello","badge":1,"sound":"bell"},"id":"7"}"#,
                ]
            )
            try await other.receive(1)
            #expect(other.texts == [#"{"aps":{"alert":"Both"}}"#])
            #expect(other.received[0].id == received[9].id)
            for count in [0, SenderClient.batchHandlesMax + 1] {
                let many = Array(repeating: "ab", count: count)
                await #expect(throws: SenderError.self, "\(count)") {
                    try await sender.sendDirect(.gcm([:], to: "World"), to: many)
                }
            }
            let most = (0..<SenderClient.batchHandlesMax).map { "\($0)" }
            _ = try await sender.sendDirect(.gcm([:], to: "World"), to: most)
            await phone.close()
            await other.close()
        }
    }

    @Test("breaking news: the chosen categories, once, also after the app has ended")
    func breakingNews() async throws {
        try await Self.run { hub, sender in
            let wanted = [
                "Subscribed!", "Breaking World News : first", "Breaking Sports News : first",
            ]
            var device = try Self.device(hub, "news")
            try await Self.receiving(on: device) { [device] shown in
                await receiveBreakingNews(about: ["World", "Sports"], on: device) {
                    shown.append($0)
                }
            } _: { shown in
                try await shown.wait(for: "a subscription") { $0 == ["Subscribed!"] }
                try await sendBreakingNews("first", with: sender)
                try await shown.wait(for: "two categories") { $0 == wanted }
            }
            try await sendBreakingNews("second", with: sender)
            device = try Self.device(hub, "news")
            try await Self.receiving(on: device) { [device] shown in
                await receiveBreakingNews(about: ["Sports"], on: device) { shown.append($0) }
            } _: { shown in
                // What was sent to the old choice was sent to it; nothing of the first comes again.
                try await shown.wait(for: "the second edition") { Self.news($0).count >= 2 }
                try await eventually("a hub that knows the new choice") {
                    try await sender.registrations(tag: "World").isEmpty
                }
                try await sendBreakingNews("third", with: sender)
                let later = try await shown.wait(for: "the third edition") { texts in
                    texts.contains("Breaking Sports News : third")
                }
                #expect(
                    Self.news(later) == [
                        "Breaking World News : second", "Breaking Sports News : second",
                        "Breaking Sports News : third",
                    ]
                )
            }
        }
    }

    private static func news(_ texts: [String]) -> [String] {
        texts.filter { $0.hasPrefix("Breaking") }
    }

    @Test("rich push: a picture by its id, and nothing of somebody else's")
    func richPush() async throws {
        try await Self.run { hub, sender in
            let picture = Picture(mediaType: "image/png", bytes: [0x89, 0x50, 0x4E, 0x47])
            let shelf = Shelf<Picture>()
            let device = try Self.device(hub, "alice")
            try await Self.receiving(on: device) { shown in
                await receivePictures(on: device) {
                    await shelf.content($0, for: "alice")
                } show: { message, got in
                    shown.append("\(message) \(got == picture)")
                }
            } _: { shown in
                try await Self.register(device, of: "alice", with: sender)
                // An id of another user's content, as a lying sender might name it.
                let other = await shelf.keep(picture, for: "bob")
                let lie = ApplePayload(silent: [
                    ("richId", "\(other)"), ("richMessage", "lie"), ("richType", "img"),
                ])
                _ = try await sender.send(.apple(lie, to: "username:alice"))
                try await sendPicture(
                    picture,
                    saying: "Look",
                    to: "alice",
                    from: shelf,
                    with: sender
                )
                let texts = try await shown.wait(for: "a picture") { !$0.isEmpty }
                #expect(texts == ["Look true"])
            }
        }
    }

    @Test("secure push: without a login a request for one, with it the message")
    func securePush() async throws {
        try await Self.run { hub, sender in
            let shelf = Shelf<String>()
            let logins = EventLog<String>()
            let device = try Self.device(hub, "alice")
            let shown = Shown()
            let inbox = SecureInbox { id in
                guard let user = logins.events.last else { return nil }
                return await shelf.content(id, for: user)
            } show: {
                shown.append($0)
            }
            try await Self.receiving(on: device) { _ in
                await inbox.receive(on: device)
            } _: { _ in
                try await Self.register(device, of: "alice", with: sender)
                try await sendSecurely("the safe", to: "alice", from: shelf, with: sender)
                let request = "You have a secure message. Log in to read it."
                try await shown.wait(for: "a request") { $0 == [request] }
                logins.append("bob")
                await inbox.readWaiting()
                #expect(shown.events == [request])
                logins.append("alice")
                await inbox.readWaiting()
                #expect(shown.events == [request, "the safe"])
                try await sendSecurely("the key", to: "alice", from: shelf, with: sender)
                try await shown.wait(for: "the next message") { $0.last == "the key" }
            }
        }
    }

    /// As a back end does when a user logs in on a device that is connected.
    private static func register(
        _ device: DeviceClient,
        of user: String,
        with sender: SenderClient
    ) async throws {
        _ = try await Registrar(sender).register(
            try await eventually("a handle") { device.handle },
            known: nil,
            of: user,
            on: .apple
        )
    }

    @Test("notify users: every phone of the recipient, and a registration that was deleted")
    func notifyUsers() async throws {
        try await Self.run { hub, sender in
            let ids = EventLog<String>()
            let registrar = Registrar(sender)
            let device = try Self.device(hub, "bob")
            try await Self.receiving(on: device) { shown in
                try? await receiveMessages(on: device) { handle in
                    ids.append(
                        try await registrar.register(
                            handle,
                            known: ids.events.last,
                            of: "bob",
                            on: .gcm
                        )
                    )
                } show: {
                    shown.append($0)
                }
            } _: { shown in
                try await shown.wait(for: "a registration") { !$0.isEmpty }
                try await notify(
                    "bob",
                    from: "alice",
                    #"tea & "cake" <now>"#,
                    on: [.apple, .gcm],
                    with: sender
                )
                try await shown.wait(for: "a message") { texts in
                    texts == ["Registered successfully!", #"From alice: tea & "cake" <now>"#]
                }
                // Deleted under the app: it comes back, and gets a new id.
                try await sender.deleteRegistration(id: try #require(ids.events.last))
                device.reconnect()
                try await shown.wait(for: "a new registration") { $0.count == 3 }
                #expect(Set(ids.events).count == 2)
                try await notify("bob", from: "carol", "again", on: [.gcm], with: sender)
                try await shown.wait(for: "a second message") {
                    $0.last == "From carol: again"
                }
            }
        }
    }

    @Test("notify users: the next user of a phone gets nothing of the one before")
    func nextUser() async throws {
        try await Self.run { hub, sender in
            let registrar = Registrar(sender)
            let store = MemoryDeviceStore()
            let first = try Phone(hub.connection, store: store)
            try await first.connected(times: 1)
            let handle = first.handle
            let entry = RegistrationEntry(platform: .apple, handle: handle, tags: ["World"])
            let own = try await sender.createRegistration(entry).id
            let id = try await registrar.register(handle, known: nil, of: "alice", on: .apple)
            // An app that has lost its id gets the same one.
            #expect(
                try await registrar.register(handle, known: nil, of: "alice", on: .apple) == id
            )
            await first.close()
            try await notify("alice", from: "carol", "a secret", on: [.apple], with: sender)

            let other = try await registrar.register(handle, known: id, of: "bob", on: .apple)
            #expect(other != id)
            let left = try await sender.registrations(handle: handle)
            #expect(Set(left.map(\.id)) == [own, other])
            #expect(left.first { $0.id == own }?.tags == ["World"])
            try await notify("bob", from: "carol", "for bob", on: [.apple], with: sender)
            let second = try Phone(hub.connection, store: store)
            try await second.receive(containing: "for bob")
            #expect(!second.texts.contains { $0.contains("secret") }, "\(second.texts)")
            await second.close()

            let elsewhere = try await Phone.bare(hub.connection, name: "alice's")
            let hers = try await registrar.register(
                elsewhere.handle,
                known: other,
                of: "alice",
                on: .apple
            )
            #expect(hers != other)
            #expect(try await sender.registration(id: other).tags == ["username:bob"])
            await elsewhere.close()
        }
    }

    @Test("localized: each phone its language, and a send to a language alone")
    func localized() async throws {
        try await Self.run { hub, sender in
            let french = try Self.device(hub, "chloe")
            let english = try Self.device(hub, "ben")
            try await Self.receiving(on: french) { shown in
                await receiveLocalized(["World", "Sports"], inFrench: true, on: french) {
                    shown.append($0)
                }
            } _: { inFrench in
                try await Self.receiving(on: english) { shown in
                    await receiveLocalized(["Sports"], inFrench: false, on: english) {
                        shown.append($0)
                    }
                } _: { inEnglish in
                    try await inFrench.wait(for: "a subscription") { !$0.isEmpty }
                    try await inEnglish.wait(for: "a subscription") { !$0.isEmpty }
                    try await sendToTheRest("Goal!", with: sender)
                    try await sendLocalized(
                        english: "Final whistle",
                        french: "Coup de sifflet final",
                        about: "Sports",
                        with: sender
                    )
                    try await inFrench.wait(for: "the French text") { texts in
                        texts == ["Subscribed!", "Coup de sifflet final"]
                    }
                    try await inEnglish.wait(for: "both English texts") { texts in
                        texts == ["Subscribed!", "Goal!", "Final whistle"]
                    }
                }
            }
        }
    }

    @Test("nearby: a phone that moves hears of the new place and not of the old one")
    func nearby() async throws {
        try await Self.run { hub, sender in
            let device = try Self.device(hub, "mara")
            try await Self.receiving(on: device) { shown in
                await receiveNearby(["place:harbour", "place:city"], on: device) {
                    shown.append($0)
                }
            } _: { shown in
                try await shown.wait(for: "a subscription") { !$0.isEmpty }
                try await sendNearby("The city closes", to: cityWithoutHarbour, with: sender)
                try await sendNearby("The ferry leaves", to: "place:harbour", with: sender)
                try await shown.wait(for: "the ferry") { $0.last == "The ferry leaves" }
                move(device, from: "place:harbour", to: "place:station")
                try await shown.wait(for: "the new place") {
                    $0.last?.hasPrefix("Here: ") == true && $0.last?.contains("station") == true
                }
                try await sendNearby("The harbour closes", to: "place:harbour", with: sender)
                try await sendNearby("Rain", to: cityWithoutHarbour, with: sender)
                let texts = try await shown.wait(for: "the rain") { $0.last == "Rain" }
                #expect(texts.count == 4, "\(texts)")
            }
        }
    }
}
