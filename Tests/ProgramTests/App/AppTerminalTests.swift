import AppBackend
import DeviceEmulator
import Foundation
import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

/// `belfry app` on a real terminal: keys in, a screen to be seen.
@Suite("The phone on a terminal")
struct AppTerminalTests {
    @Test(
        "two people log in by keyboard alone, one sends, the other reads; the terminal is restored"
    )
    func people() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let bob = try PersonAtTerminal(Self.arguments(backend, folder, "bob"))
            try await bob.see("Password:")
            try await bob.press("bob\rpassword of bob\r")
            try await bob.see("Registered successfully!")
            try await bob.see("bob | apple | connected")
            #expect(try await bob.screen().allSatisfy { !$0.contains("password of") })

            let alice = try PersonAtTerminal(Self.arguments(backend, folder, "alice"))
            try await alice.see("Password:")
            try await alice.press("alice\rwrong wrong\r")
            try await alice.see("Wrong name or password.")
            // The field is empty again.
            try await alice.press("password of alice\r")
            try await alice.see("Registered successfully!")
            try await alice.press("3bob\rTea at \u{1B}[200~four?\u{1B}[201~ \u{1F370}\r")
            try await alice.see("Sent.")

            try await bob.see("From alice: Tea at four? \u{1F370}")
            try await bob.see("[1 Inbox (")
            try await bob.press("\r")
            try await bob.see("Enter, Esc close")
            try await bob.see("from alice, 20")
            try await bob.resize(30, 8)
            try await bob.see("Tea at four?")
            try await bob.press("\u{1B}")
            try await bob.gone("Esc close")
            try await bob.press("q")
            try await bob.expectEnd(bells: 1)
            try await alice.signal(SIGTERM)
            try await alice.expectEnd()
        }
    }

    @Test("a backend that hangs costs seconds; the message is kept, and Enter repeats it once")
    func hangingBackend() async throws {
        try await HostedHub.run { hub in
            let login = try MuteHub.login("alice", hub)
            let id = MuteHub.Reaction.reply(200, [:], body: "\"1-1-1\"")
            let sent = MuteHub.Reaction.reply(200, [:], body: "{}")
            let mute = try await MuteHub(
                like: hub,
                [login, id, .status(200), .silence, sent, sent, sent]
            )
            let folder = ScenarioFolder()
            let backend = try mute.backend()
            let alice = try PersonAtTerminal(
                [
                    "app", "--backend", "https://localhost:\(backend.port)", "--folder",
                    folder.file("alice"), "--ca", try #require(backend.ca),
                ]
            )
            try await alice.see("Password:")
            try await alice.press("alice\ra good password\r")
            try await alice.see("Registered successfully!")
            let start = ContinuousClock.now
            try await alice.press("3bob\rTea?\r")
            try await alice.see("The backend does not answer; your message is kept, Enter repeats")
            // Three seconds of patience, and what a busy machine adds; it was two minutes once.
            #expect(ContinuousClock.now - start < .seconds(40))
            try await alice.press("\r")
            try await alice.see("Sent.")
            let keys = mute.requests.events.suffix(4).map { $0.headers["idempotency-key"] }
            #expect(keys.count == 4 && keys[0] == keys[1] && Set(keys).count == 3, "\(keys)")
            try await alice.press("\u{3}")
            try await alice.expectEnd()
            try await mute.close()
        }
    }

    @Test("text of a stranger moves nothing, and categories are switched by keyboard alone")
    func categories() async throws {
        let hub = try await RunningHub.start()
        let folder = ScenarioFolder()
        let mara = try PersonAtTerminal([
            "app", "--data", hub.folder.path, "--folder", folder.file("mara"),
        ])
        try await mara.see("> [ ] World")
        try await mara.press(" \u{1B}[B ")
        try await mara.see("Subscribed!")
        try await mara.see("[x] Politics")
        try await mara.press("\t\t")
        try await mara.see("Nothing has arrived yet.")
        let sender = try SenderClient(hub.connection)
        let hostile = "\u{1B}[2J\u{1B}]0;owned\u{07}\u{202E}gone \u{9B}31m 日本語"
        _ = try await sender.send(.template(["messageParam": hostile], tags: "World && !Sports"))
        await sender.close()
        try await mara.see("\\u{1B}[2J\\u{1B}]0;owned\\u{7}\\u{202E}gone \\u{9B}31m 日本語")
        try await mara.see("Belfry | apple | connected")
        try await mara.press("\u{3}")
        try await mara.expectEnd()
        #expect(try await hub.terminate() == 0)
    }

    private static func arguments(
        _ backend: HostedBackend,
        _ folder: ScenarioFolder,
        _ name: String
    ) -> [String] {
        [
            "app", "--backend-data", backend.options.data, "--folder", folder.file(name),
            "--patience", "60",
        ]
    }
}
