import Foundation
import Glibc
import HubClient
import HubTestSupport
import NIOHTTP1
import Testing

/// What a hub must do while its disk takes nothing, and when it takes something again.
struct DiskTrouble: Sendable {
    /// The hub.
    let connection: ConnectionFile
    /// What sends and registrations are answered then.
    let status: Int
    /// What `/healthz` must say.
    let reason: String
    /// Makes the disk refuse, and take again.
    let begin: @Sendable () async throws -> Void
    let end: @Sendable () async throws -> Void

    private static let choice = RegistrationChoice(platform: .apple, tags: ["World"])

    /// Sends before, while and after the disk refuses; the device that was there all the time.
    func run() async throws -> Phone {
        let phone = try await Phone.subscribed(connection, Self.choice)
        let late = try Phone(connection, name: "late")
        try await late.connected(times: 1)
        let caller = try RESTCaller(connection)
        var accepted: [String] = []
        for number in 0..<3 { try await send(number, caller, &accepted) }
        #expect(accepted.count == 3)
        try await phone.receive(3)

        try await begin()
        try await expectRefusals(caller, &accepted)
        try await expectRefusal(of: late)
        // The reason stands there as long as the disk refuses, for each caller and path.
        let health = try await caller.perform(.GET, "healthz", authorization: nil)
        #expect(health.status == 503, "\(health.text)")
        #expect(health.text.contains(reason), "\(health.text)")
        #expect(phone.departures.isEmpty && phone.openings.count == 1)
        try await end()

        try await expectReady(caller)
        let known = accepted.count
        for number in 100..<105 { try await send(number, caller, &accepted) }
        #expect(accepted.count == known + 5)
        try await phone.receive(accepted.count)
        #expect(phone.texts == accepted)
        #expect(phone.departures.isEmpty && phone.openings.count == 1)
        // What the device asked for comes to pass without a new connection.
        try await late.events.wait(for: "a registration at last") { events in
            events.contains { if case .registered = $0 { true } else { false } }
        }
        #expect(late.departures.isEmpty)
        await late.close()
        await caller.close()
        return phone
    }

    /// After all of it, and perhaps a restart: nothing is missing, and nothing came that was
    /// refused.
    func check(_ phone: Phone, afterRestart: Bool) async throws {
        if afterRestart { phone.reconnect() }
        let known = phone.texts
        let caller = try RESTCaller(connection)
        var accepted = known
        try await send(999, caller, &accepted)
        try await phone.receive(accepted.count)
        #expect(phone.texts == accepted)
        #expect(phone.openings.allSatisfy { $0.outcomeName != "reset" })
        await caller.close()
        await phone.close()
    }

    /// Sends one; what was answered 201 is noted, everything else must be an honest refusal.
    private func send(
        _ number: Int,
        _ caller: RESTCaller,
        _ accepted: inout [String]
    ) async throws {
        // Large enough that a page is not enough.
        let text = "\(number) " + String(repeating: "x", count: 3_000)
        let body = NewsFormat.payload(.apple, text)
        let answer = try await caller.send(body, format: "apple", tags: "World")
        if answer.status == 201 {
            accepted.append(body)
        } else {
            expectRefusal(answer)
        }
    }

    private func expectRefusal(_ answer: RESTCaller.Answer) {
        #expect(answer.status == status, "\(answer.text)")
        let seconds = answer.headers["retry-after"].flatMap { Int($0) }
        #expect(seconds.map { $0 > 0 } == true, "\(answer.headers)")
        #expect(answer.text.contains("<Code>\(status)</Code>"), "\(answer.text)")
        #expect(answer.text.contains("nothing was stored"), "\(answer.text)")
    }

    /// Sends, registrations and schedules until the disk has refused each of them.
    private func expectRefusals(_ caller: RESTCaller, _ accepted: inout [String]) async throws {
        var sent = 0
        let before = accepted.count
        while sent < 40 || accepted.count - before == sent, sent < 400 {
            try await send(10 + sent, caller, &accepted)
            sent += 1
        }
        #expect(accepted.count - before < sent, "nothing was refused")
        let token = try caller.token(connection.connectionStrings.full)
        let installation = #"{"installationId":"i1","platform":"apns","pushChannel":"AB"}"#
        let made = try await caller.perform(
            .PUT,
            "\(connection.hub)/installations/i1",
            headers: ["Content-Type": "application/json"],
            body: installation,
            authorization: token
        )
        expectRefusal(made)
        let time = Date().addingTimeInterval(3_600).formatted(.iso8601)
        let scheduled = try await caller.perform(
            .POST,
            "\(connection.hub)/schedulednotifications/",
            headers: [
                "ServiceBusNotification-Format": "apple", "Content-Type": "application/json",
                "ServiceBusNotification-ScheduleTime": time,
            ],
            body: NewsFormat.payload(.apple, "later"),
            authorization: token
        )
        expectRefusal(scheduled)
        let read = try await caller.perform(
            .GET,
            "\(connection.hub)/installations/i1",
            authorization: token
        )
        #expect(read.status == 404, "\(read.text)")
    }

    /// A device is told that its registration is not stored, and why.
    private func expectRefusal(of late: Phone) async throws {
        Task { try await late.register(Self.choice) }
        let events = try await late.events.wait(for: "a refused registration") { events in
            events.contains { if case .fault(.refused) = $0 { true } else { false } }
        }
        #expect(!events.contains { if case .registered = $0 { true } else { false } })
        #expect(late.departures.isEmpty)
    }

    /// No send comes; the hub finds out by itself.
    private func expectReady(_ caller: RESTCaller) async throws {
        var health = ""
        try await eventually("a healthy hub: \(health)") {
            let answer = try await caller.perform(.GET, "healthz", authorization: nil)
            health = answer.text
            return answer.status == 200
        }
    }

    /// Writes a file until the file system is full.
    static func fill(_ path: String) throws {
        // The path lives as long as the call.
        let file = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let page = [UInt8](repeating: 1, count: 4_096)
        while true {
            // The bytes live as long as the call.
            let count = unsafe page.withUnsafeBytes { unsafe write(file, $0.baseAddress, 4_096) }
            guard count > 0 else { return }
        }
    }
}
