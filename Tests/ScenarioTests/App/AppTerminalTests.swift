import AppBackend
import DeviceEmulator
import Foundation
import HubClient
import Testing

/// `belfry app` on a real terminal: keys in, a screen to be seen.
@Suite("The phone on a terminal")
struct AppTerminalTests {
    @Test(
        "two people log in by keyboard alone, one sends, the other reads; the terminal is restored"
    )
    func people() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = TemporaryFolder()
            let bob = try PersonAtTerminal(Self.arguments(backend, folder, "bob"))
            try await bob.see("Password:")
            try await bob.press("bob\rpassword of bob\r")
            try await bob.see("Registered successfully!")
            try await bob.see("bob | apple | connected")
            #expect(try await bob.screen().allSatisfy { !$0.contains("password of") })

            let alice = try PersonAtTerminal(Self.arguments(backend, folder, "alice"))
            try await alice.see("Password:")
            try await alice.press("alice\rwrong wrong\r")
            try await alice.see("the backend answered 401")
            // Control-U empties the field.
            try await alice.press("\u{15}password of alice\r")
            try await alice.see("Registered successfully!")
            try await alice.press("3bob\rTea at \u{1B}[200~four?\u{1B}[201~ \u{1F370}")
            // Past the five platforms to the button.
            try await alice.press(String(repeating: "\u{1B}[B", count: 6))
            try await alice.see("> [ Send ]")
            try await alice.press("\r")
            try await alice.see("Sent.")

            try await bob.see("From alice: Tea at four? \u{1F370}")
            try await bob.see("[1 Inbox (")
            try await bob.press("\r")
            try await bob.see("Enter, Esc close")
            try await bob.resize(30, 8)
            try await bob.see("alice: Tea")
            try await bob.press("\u{1B}")
            try await bob.gone("Esc close")
            try await bob.press("q")
            try await bob.expectEnd()
            try await alice.signal(SIGTERM)
            try await alice.expectEnd()
        }
    }

    @Test("text of a stranger moves nothing, and categories are switched by keyboard alone")
    func categories() async throws {
        let hub = try await RunningHub.start()
        let folder = TemporaryFolder()
        let mara = try PersonAtTerminal([
            "app", "--data", hub.folder.path, "--folder", folder.file("mara"),
        ])
        try await mara.see("> [ ] World")
        try await mara.press(" \u{1B}[B \u{1B}[F\r")
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
        _ folder: TemporaryFolder,
        _ name: String
    ) -> [String] {
        ["app", "--backend-data", backend.options.data, "--folder", folder.file(name)]
    }
}
