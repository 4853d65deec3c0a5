import Foundation
import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// What an operator is told beforehand is what happens.
@Suite("Dry runs")
struct PreviewTests {
    private struct Preview: Decodable {
        struct Entry: Decodable {
            var handle: String
            var platform: String
            var text: String?
        }

        var registrations: Int
        var sample: [Entry]
        var withoutDevice: Int
    }

    @Test("a preview shows the text that devices then get, and tags are counted over a restart")
    func preview() async throws {
        let hub = try await RunningHub.startRestartable()
        let apple = try await Phone.subscribed(
            hub.connection,
            name: "apple",
            .news(.apple, tags: ["World", "Sports"])
        )
        let windows = try await Phone.subscribed(
            hub.connection,
            name: "windows",
            .news(.windows, tags: ["world"])
        )
        let caller = try RESTCaller(hub.connection)
        let token = try caller.token(hub.connection.connectionStrings.full)
        let body = #"{"messageParam":"<the river> & \"the treaty\""}"#
        let answer = try await caller.perform(
            .POST,
            "hub/$belfry/preview",
            headers: ["ServiceBusNotification-Tags": "World && !Weather"],
            body: body,
            authorization: token
        )
        #expect(answer.status == 200, "\(answer.text)")
        let preview = try JSONDecoder().decode(Preview.self, from: Data(answer.text.utf8))
        #expect(preview.registrations == 2 && preview.withoutDevice == 0)
        #expect(preview.sample.map(\.platform) == ["apple", "windows"])
        for (phone, entry) in zip([apple, windows], preview.sample) {
            #expect(!answer.text.contains(phone.handle) && phone.texts.isEmpty)
            #expect(entry.handle.utf8.count < 12)
        }

        let sent = try await caller.send(body, tags: "World && !Weather")
        #expect(sent.status == 201)
        for (phone, entry) in zip([apple, windows], preview.sample) {
            let text = try #require(entry.text)
            try await phone.receive(containing: text)
            #expect(phone.texts == [text])
            await phone.close()
        }

        let tags = try await Self.tags(caller, token)
        #expect(
            tags
                == #"{"tags":[{"registrations":1,"tag":"Sports"},{"registrations":2,"tag":"World"}]}"#
        )
        await caller.close()
        #expect(try await hub.terminate() == 0)
        let again = try await hub.startedAgain()
        let later = try RESTCaller(again.connection)
        #expect(try await Self.tags(later, token) == tags)
        await later.close()
        #expect(try await again.terminate() == 0)
    }

    private static func tags(_ caller: RESTCaller, _ token: String) async throws -> String {
        let answer = try await caller.perform(.GET, "hub/$belfry/tags", authorization: token)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.text
    }
}
