import Foundation
import HubClient
import NIOHTTP1
import Testing

@Suite("Registrations that end by themselves", .timeLimit(.minutes(2)))
struct FeedbackTests {
    /// Reads at an address of the hub that needs no token.
    private static func get(
        _ caller: RESTCaller,
        _ address: String,
        blob: String? = nil,
        query: String = ""
    ) async throws -> RESTCaller.Answer {
        let parts = address.split(separator: "?")
        let path = parts[0].split(separator: "/").dropFirst(2).joined(separator: "/")
        return try await caller.perform(
            .GET,
            path + (blob.map { "/\($0)" } ?? ""),
            query: "&\(parts[1])\(query)",
            authorization: nil
        )
    }

    /// Every line of every blob, once there are so many.
    private static func lines(
        _ caller: RESTCaller,
        _ address: String,
        count: Int
    ) async throws -> [String] {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            var lines: [String] = []
            let list = try await get(caller, address, query: "&restype=container&comp=list")
            #expect(list.status == 200, "\(list.text)")
            for name in list.text.matches(of: /<Name>(.*?)<\/Name>/) {
                let blob = try await get(caller, address, blob: String(name.1))
                #expect(blob.status == 200, "\(blob.text)")
                lines += blob.text.split(separator: "\n").map(String.init)
            }
            if lines.count >= count || ContinuousClock.now > deadline { return lines }
        }
    }

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
        let lapsed = try await Self.lines(caller, address, count: 1)
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
        let found = try await Self.lines(caller, address, count: 2)
        #expect(found.count == 2)
        #expect(found.first == lapsed[0])
        #expect(found.last?.contains("<NotificationSystemError>InvalidToken<") == true, "\(found)")
        let changed = address.replacing("sig=", with: "sig=0")
        let refused = try await Self.get(caller, changed, query: "&restype=container&comp=list")
        #expect(refused.status == 403)
        await caller.close()
        #expect(try await again.terminate() == 0)
    }
}
