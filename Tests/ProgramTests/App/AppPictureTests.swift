import AppBackend
import DeviceEmulator
import Foundation
import HubClient
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// What becomes of a picture when its user opens it.
@Suite("Pictures on the phone")
struct AppPictureTests {
    /// What `app_screen.py` shows where a picture is drawn.
    private static func mark(_ bytes: [UInt8]) -> String {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        let text = String(~crc, radix: 16)
        return "PICTURE \(bytes.count) " + String(repeating: "0", count: 8 - text.count) + text
    }

    /// Sends alice the scenario's picture; its bytes.
    private static func send(_ backend: HostedBackend) async throws -> [UInt8] {
        let sent = try await backend.ask(.POST, "/api/notifications", as: "alice")
        let id = try #require(sent.member("Id"))
        return try await backend.ask(.GET, "/api/notifications/\(id)", as: "alice").bytes
    }

    private static func belfry() throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("belfry").path
    }

    /// The app of alice on a terminal that says of itself what `terminal` has.
    private static func person(
        _ backend: HostedBackend,
        _ folder: ScenarioFolder,
        terminal: [String],
        _ arguments: [String] = []
    ) throws -> PersonAtTerminal {
        try PersonAtTerminal(
            command: [
                "/usr/bin/env", "-u", "TMUX", "-u", "STY", "-u", "DISPLAY",
                "BELFRY_APP_PASSWORD=password of alice",
            ] + terminal + [
                try belfry(), "app", "--backend-data", backend.options.data, "--user", "alice",
                "--folder", folder.file("alice"), "--patience", "60",
            ] + arguments
        )
    }

    @Test("on the screen of a terminal with graphics it is drawn under its entry, whole")
    func screen() async throws {
        for terminal in [["TERM=xterm-kitty"], ["TERM=xterm", "TERM_PROGRAM=WezTerm"]] {
            try await HostedBackend.run { _, backend in
                try backend.add("alice")
                let folder = ScenarioFolder()
                let alice = try Self.person(backend, folder, terminal: terminal)
                try await alice.see("Registered successfully!")
                let bytes = try await Self.send(backend)
                try await alice.see("Check this image out!")
                try await alice.see("[1 Inbox (")
                try await alice.press("\r")
                try await alice.see(Self.mark(bytes))
                let screen = try await alice.screen()
                let path = screen.firstIndex { $0.contains("saved as") } ?? screen.count
                let picture = screen.firstIndex { $0.contains("PICTURE") } ?? 0
                #expect(picture > path, "\(screen)")
                try await alice.press("\r")
                try await alice.gone("PICTURE")
                try await alice.see("Check this image out!")
                try await alice.press("q")
                try await alice.expectEnd()
            }
        }
    }

    @Test("on a terminal without graphics its place is told and nothing is drawn")
    func without() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            let folder = ScenarioFolder()
            let alice = try Self.person(backend, folder, terminal: ["TERM=xterm-256color"])
            try await alice.see("Registered successfully!")
            _ = try await Self.send(backend)
            try await alice.see("[1 Inbox (")
            try await alice.press("\r")
            try await alice.see("image/png")
            let screen = try await alice.screen()
            #expect(!screen.contains { $0.contains("PICTURE") }, "\(screen)")
            try await alice.press("\rq")
            // A sequence of graphics would be unknown to a terminal that has none.
            try await alice.expectEnd()
        }
    }

    @Test("with --plain it is drawn behind the line that tells its place")
    func plain() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            let folder = ScenarioFolder()
            let terminal = ["TERM=xterm", "LC_TERMINAL=iTerm2"]
            let alice = try Self.person(backend, folder, terminal: terminal, ["--plain"])
            try await alice.resize(250, 60)
            try await alice.see("Registered successfully!")
            let bytes = try await Self.send(backend)
            try await alice.see("Check this image out!")
            try await alice.press("open\n")
            try await alice.see("saved as ")
            try await alice.see(Self.mark(bytes))
            try await alice.press("quit\n")
            try await alice.expectEnd()
        }
    }

    @Test("otherwise a viewer gets the path of a file that the app has named, and nothing else")
    func viewer() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let script = folder.file("viewer")
            let seen = folder.file("seen")
            // Put there whole, so that a reader who finds it can read all of it.
            let text =
                "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(seen).new'\nmv '\(seen).new' '\(seen)'\n"
            try folder.write(text, to: "viewer")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700],
                ofItemAtPath: script
            )
            let app = try Program.belfry(
                [
                    "app", "--plain", "--backend-data", backend.options.data, "--user", "alice",
                    "--folder", folder.file("phone"), "--viewer", "\(script) --first",
                ],
                environment: ["BELFRY_APP_PASSWORD": "password of alice"]
            )
            try await app.output.wait(for: "a registration") { lines in
                lines.contains { $0.hasPrefix("Registered successfully!") }
            }
            // A message that would be something to a shell, and content that is none to open.
            for (type, media) in [("coupon", "application/json"), ("img", "image/png")] {
                let png = Self.png.base64EncodedString()
                let payload = type == "img" ? png : Data("{}".utf8).base64EncodedString()
                let message = "\(type) $(touch \(folder.file("owned")));-n"
                let answer = try await backend.ask(
                    .POST,
                    "/api/notifications",
                    as: "bob",
                    json: #"{"kind":"rich","to":"alice","message":"\#(message)","type":"\#(type)","#
                        + #""mediaType":"\#(media)","payload":"\#(payload)"}"#
                )
                #expect(answer.status == 200, "\(answer.text)")
                try await app.output.wait(for: "the \(type)") { lines in
                    lines.contains { $0.hasSuffix("[OK] [More]") && $0.contains("\(type) $(touch") }
                }
                app.write("open\n")
                try await app.output.wait(for: "an opened \(type)") { lines in
                    lines.contains { $0.hasPrefix("opened ") && $0.contains(media) }
                }
            }
            try await eventually("a viewer that has begun") {
                FileManager.default.fileExists(atPath: seen)
            }
            let words = try String(contentsOfFile: seen, encoding: .utf8).split(separator: "\n")
            #expect(words.count == 2 && words[0] == "--first", "\(words)")
            let path = String(words.last ?? "")
            #expect(path.hasPrefix("/") && path.hasSuffix(".png"), "\(path)")
            #expect(FileManager.default.contents(atPath: path) == Self.png)
            #expect(!FileManager.default.fileExists(atPath: folder.file("owned")))
            app.closeInput()
            #expect(try await app.exitCode() == 0, "\(app.errors.events)")
        }
    }

    @Test("a viewer that is not there is one line and exit code 1")
    func noViewer() async throws {
        let folder = ScenarioFolder()
        let app = try Program.belfry([
            "app", "--plain", "--backend", "https://localhost:1", "--folder", folder.file("phone"),
            "--viewer", "/no/such/program",
        ])
        #expect(try await app.exitCode() == 1)
        #expect(app.errors.events.joined().contains("/no/such/program"), "\(app.errors.events)")
    }

    /// The smallest picture that is whole.
    private static let png = Data(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 40)
            + [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    )
}
