import DeviceEmulator
import Foundation
import HubClient
import HubSender
import HubWire
import Testing

@testable import ScenarioSupport

@Suite("Breaking news")
struct BreakingNewsTests {
    @Test("goes on after the hub was stopped in order and started again")
    func restarts() async throws {
        var hub = try await RunningHub.startRestartable()
        let phones = try await Self.phones(hub.connection)
        let identities = phones.map(\.handle)
        try await Self.sendAll(hub.connection, "first")
        for (phone, person) in zip(phones, BreakingNews.people) {
            try await phone.receive(person.first.count)
        }

        #expect(try await hub.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: hub.folder.file("connection.json")))
        for phone in phones {
            try await phone.disconnected(times: 1)
            #expect(phone.departures.first?.label == "hub going away", "\(phone.name)")
        }
        hub = try await hub.startedAgain()
        try await Self.sendAll(hub.connection, "second")
        for phone in phones { phone.reconnect() }

        // Everybody who subscribes to something gets its second edition; the others come back.
        for (phone, person) in zip(phones, BreakingNews.people) {
            try await phone.connected(times: 2)
            let expected = Self.expected(person, ["first", "second"])
            try await phone.receive(expected.count)
            #expect(phone.texts == expected, "\(phone.name)")
            #expect(phone.openings.last?.outcome == .resumed, "\(phone.name)")
            #expect(phone.openings.last?.isNewIdentity == false, "\(phone.name)")
            let registered = phone.events.events.count {
                if case .registered(_, isUnchanged: false) = $0 { true } else { false }
            }
            #expect(registered == 1, "\(phone.name) registered again")
        }
        #expect(phones.map(\.handle) == identities)
        for phone in phones { await phone.close() }
        #expect(try await hub.terminate() == 0)
    }

    @Test("what was answered 201 before a kill arrives once afterwards")
    func survivesKill() async throws {
        var hub = try await RunningHub.startRestartable()
        let phones = try await Self.phones(hub.connection)
        let accepted = EventLog<String>()
        let sending = Self.sendUntilRefused(hub.connection, accepted)
        try await accepted.wait(for: "25 accepted sends") { $0.count >= 25 }
        try await hub.kill()
        await sending.value
        for phone in phones { try await phone.disconnected(times: 1) }

        hub = try await hub.startedAgain()
        for phone in phones { phone.reconnect() }
        let sender = try SenderClient(hub.connection)
        for category in BreakingNews.categories {
            _ = try await sender.send(.template(["messageParam": "the end"], tags: category))
        }
        await sender.close()
        for (phone, person) in zip(phones, BreakingNews.people) where !person.first.isEmpty {
            let isReader = person.subscribes.contains("World")
            let last = person.first.count
            try await phone.receive(last, containing: "the end")
            let ids = phone.received.map(\.id)
            let texts = phone.texts
            let missing = accepted.events.filter { mark in !texts.contains { $0.contains(mark) } }
            #expect(!isReader || missing == [], "\(phone.name) lost notifications")
            #expect(Set(ids.map { "\($0)" }).count == ids.count, "\(phone.name) saw one twice")
            #expect(phone.openings.last?.outcome == .resumed, "\(phone.name)")
        }
        for phone in phones { await phone.close() }
    }

    // MARK: Steps

    /// The scenario's devices, subscribed.
    private static func phones(_ connection: ConnectionFile) async throws -> [Phone] {
        var phones: [Phone] = []
        for person in BreakingNews.people {
            let choice = RegistrationChoice.news(person.platform, tags: person.subscribes)
            phones.append(try await Phone.subscribed(connection, name: person.name, choice))
        }
        return phones
    }

    /// One send for each category.
    private static func sendAll(_ connection: ConnectionFile, _ edition: String) async throws {
        let sender = try SenderClient(connection)
        for category in BreakingNews.categories {
            let message = "\(category), \(edition) edition"
            let sent = try await sender.send(.template(["messageParam": message], tags: category))
            #expect(sent.status == 201)
        }
        await sender.close()
    }

    /// What a person's device shows of several editions.
    private static func expected(_ person: BreakingNews.Person, _ editions: [String]) -> [String] {
        editions.flatMap { edition in
            BreakingNews.categories.filter { person.first.contains($0) }.map {
                NewsFormat.payload(person.platform, "\($0), \(edition) edition")
            }
        }
    }

    /// Sends to `World` with four requests at a time until one fails; logs what was answered 201.
    private static func sendUntilRefused(
        _ connection: ConnectionFile,
        _ accepted: EventLog<String>
    ) -> Task<Void, Never> {
        Task {
            await withTaskGroup(of: Void.self) { group in
                for lane in 0..<4 {
                    group.addTask {
                        guard let sender = try? SenderClient(connection) else { return }
                        for number in 0..<10_000 {
                            let mark = "[\(lane)-\(number)]"
                            let sent = try? await sender.send(
                                .template(["messageParam": mark], tags: "World")
                            )
                            guard sent != nil else { break }
                            accepted.append(mark)
                        }
                        await sender.close()
                    }
                }
            }
        }
    }
}
