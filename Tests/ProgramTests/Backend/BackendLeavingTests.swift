import AppBackend
import Foundation
import HubClient
import HubSender
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Users who leave while a request of theirs is on its way")
struct BackendLeavingTests {
    private static let handle = String(repeating: "ab", count: 32)

    @Test("a registration whose answer never comes is deleted behind its user's removal")
    func lostAnswer() async throws {
        try await MuteHub.run([.status(404), .stillness, .status(404)]) { limits in
            limits.registrations.deletionSeconds = 1
        } _: { mute, backend in
            try backend.add("bob")
            async let answer = backend.put("bob", id: "1-1-1", handle: Self.handle)
            try await mute.requests.wait(for: "the registration") { requests in
                requests.contains { $0.line.hasPrefix("PUT ") && $0.line.contains("1-1-1") }
            }
            // All that is known of him is deleted now; the registration may arrive afterwards.
            await #expect(throws: BackendError.self) { try await backend.remove("bob") }
            func deletions(_ requests: some Sequence<MuteHub.Request>) -> Int {
                requests.count { $0.line.hasPrefix("DELETE ") && $0.line.contains("1-1-1") }
            }
            let before = deletions(mute.requests.events)
            #expect(try await answer.status == 503)
            try await mute.requests.wait(for: "a deletion behind it", seconds: 30) { requests in
                requests.count { $0.line.hasPrefix("DELETE ") && $0.line.contains("1-1-1") }
                    > before + 1
            }
        }
    }

    @Test("a removed user's half-sent request deletes nothing of the device's next user")
    func halfSent() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob")
            let phone = try await Phone.bare(hub.connection)
            let body = #"{"Platform":"apns","Handle":"\#(phone.handle)","Tags":[]}"#
            let link = try await RawLink(
                hub.connection,
                port: UInt16(backend.port),
                .tls(alpn: ["http/1.1"])
            )
            let head =
                "PUT /api/register/1-1-1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Authorization: \(HostedBackend.basic("alice"))\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n"
            await link.write(Array((head + body.prefix(20)).utf8))
            // Several requests later its head has been read.
            for _ in 0..<3 {
                let other = try await backend.ask(.POST, "/api/login", as: "alice")
                #expect(other.status == 200)
            }
            try await backend.remove("alice")
            let id = try await backend.register("bob", handle: phone.handle)
            await link.write(Array(body.dropFirst(20).utf8))
            try await link.closedByHub()
            let answer = String(decoding: Array(link.input.events.joined()), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 401"), "\(answer)")
            let sender = try SenderClient(hub.connection)
            #expect(try await sender.registrations(handle: phone.handle).map(\.id) == [id])
            await sender.close()
            await phone.close()
        }
    }
}
