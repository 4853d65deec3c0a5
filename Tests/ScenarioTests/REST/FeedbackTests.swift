import Foundation
import HubClient
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Registrations that end by themselves", .timeLimit(.minutes(5)))
struct FeedbackTests {
    @Test("are told in the feedback container, under an address that outlives a crash")
    func told() async throws {
        let hub = try await RunningHub.startRestartable()
        let caller = try RESTCaller(hub.connection)
        let token = try caller.token(hub.connection.connectionStrings.full)
        let phone = try await Phone.subscribed(
            hub.connection,
            RegistrationChoice(platform: .apple, tags: ["World"])
        )
        let lapses = Date(timeIntervalSinceNow: 2).formatted(.iso8601)
        let installed = try await caller.perform(
            .PUT,
            "\(hub.connection.hub)/installations/i-7",
            body: #"{"installationId":"i-7","platform":"apns","pushChannel":"\#(phone.handle)","#
                + #""expirationTime":"\#(lapses)"}"#,
            authorization: token
        )
        #expect(installed.status == 200, "\(installed.text)")
        let given = try await caller.perform(
            .GET,
            "\(hub.connection.hub)/feedbackcontainer",
            authorization: token
        )
        #expect(given.status == 200)
        let address = given.text
        let lapsed = try await caller.feedback(address, count: 1)
        #expect(lapsed.count == 1)
        #expect(lapsed[0].contains("<NotificationSystemError>ExpiredChannel<"), "\(lapsed)")
        #expect(lapsed[0].contains("<PnsHandle>\(phone.handle.uppercased())<"), "\(lapsed)")
        #expect(lapsed[0].contains("<InstallationId>i-7</InstallationId>"), "\(lapsed)")
        let revoked = try Program.belfry([
            "revoke", "--data", hub.folder.path, "--device", phone.handle,
        ])
        #expect(try await revoked.exitCode() == 0, "\(revoked.errors.events)")
        try await hub.kill()
        await phone.close()

        let again = try await hub.startedAgain()
        let found = try await caller.feedback(address, count: 2)
        #expect(found.count == 2)
        #expect(found.first == lapsed[0])
        #expect(found.last?.contains("<NotificationSystemError>InvalidToken<") == true, "\(found)")
        let changed = address.replacing("sig=", with: "sig=0")
        let refused = try await caller.read(changed, query: "&restype=container&comp=list")
        #expect(refused.status == 403)
        await caller.close()
        #expect(try await again.terminate() == 0)
    }

    @Test("and what kept a notification from others is told at an address of its telemetry")
    func errors() async throws {
        let hub = try await RunningHub.startRestartable()
        let caller = try RESTCaller(hub.connection)
        let token = try caller.token(hub.connection.connectionStrings.full)
        let name = hub.connection.hub
        let phone = try await Phone.subscribed(
            hub.connection,
            RegistrationChoice(platform: .apple, tags: ["World"])
        )
        let handle = phone.handle.uppercased()
        await phone.close()
        let installed = try await caller.perform(
            .PUT,
            "\(name)/installations/i-8",
            body: #"{"installationId":"i-8","platform":"apns","pushChannel":"AB01","#
                + #""tags":["World"]}"#,
            authorization: token
        )
        #expect(installed.status == 200, "\(installed.text)")
        // In time even where a send takes seconds: one that came late would be kept for no one.
        let expires = Int(Date().timeIntervalSince1970) + 10
        let sent = try await caller.send(
            #"{"aps":{"alert":"too late"}}"#,
            format: "apple",
            tags: "World",
            headers: ["apns-expiration": "\(expires)"]
        )
        #expect(sent.status == 201, "\(sent.text)")
        let location = try #require(sent.headers["location"]?.split(separator: "?").first)
        let id = try #require(location.split(separator: "/").last)
        try await hub.kill()

        let again = try await hub.startedAgain()
        let told = try await caller.perform(
            .GET,
            "\(name)/messages/\(id)",
            authorization: token
        )
        #expect(told.status == 200, "\(told.text)")
        let found = told.text.firstMatch(of: /<PnsErrorDetailsUri>(.*?)<\/PnsErrorDetailsUri>/)
        let given = String(try #require(found, "\(told.text)").1)
        let address = given.replacing("&amp;", with: "&")
        let lines = try await eventually("two lines") {
            let answer = try await caller.read(address)
            #expect(answer.status == 200, "\(answer.text)")
            let lines = answer.text.split(separator: "\n")
            return lines.count >= 2 ? lines : nil
        }
        let failures = [("Dropped", handle), ("BadChannel", "AB01")]
        #expect(lines.count == 2, "\(lines)")
        for (word, handle) in failures {
            let line = lines.first { $0.contains("<PnsHandle>\(handle)<") }
            let error = "<NotificationSystemError>\(word)</NotificationSystemError>"
            #expect(line?.contains(error) == true, "\(lines)")
            #expect(line?.contains("<NotificationId>\(id)</NotificationId>") == true, "\(lines)")
        }
        await caller.close()
        #expect(try await again.terminate() == 0)
    }
}
