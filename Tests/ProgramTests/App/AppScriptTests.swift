import DeviceEmulator
import Foundation
import Testing

@testable import ScenarioSupport

/// What scripts and terminals get of the phone's app when something goes wrong.
@Suite("The phone's app in scripts")
struct AppScriptTests {
    @Test("what a backend says to refuse a login moves nothing in the terminal")
    func hostileRefusal() async throws {
        try await HostedHub.run { hub in
            let body = #"{"Message":"\u001b]0;owned\u0007\u001b[2Jno\nentry"}"#
            let mute = try await MuteHub(like: hub, [.reply(403, [:], body: body)])
            let backend = try mute.backend()
            let folder = ScenarioFolder()
            let program = try Program.belfry(
                [
                    "app", "--plain", "--backend", "https://localhost:\(backend.port)", "--ca",
                    try #require(backend.ca), "--folder", folder.file("phone"), "--user", "alice",
                ],
                environment: ["BELFRY_APP_PASSWORD": "a good password"]
            )
            #expect(try await program.exitCode() == 1)
            let errors = program.errors.events
            #expect(errors.count == 1)
            #expect(errors.joined().contains("\\u{1B}]0;owned\\u{7}\\u{1B}[2Jno entry"))
            let isPlain = (errors + program.output.events).joined().unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control
            }
            #expect(isPlain, "\(errors)")
            try await mute.close()
        }
    }

    @Test(
        "a script that asks for something that fails ends with exit code 1, any other with 0",
        arguments: [
            ("--plain", "inbox", 0), ("--plain", "help\n", 0), ("--plain", "fly", 1),
            ("--plain", "open 7", 1), ("--plain", "news hello", 1), ("--plain", "open 7\nquit", 1),
            ("--json", #"{"action":"inbox"}"#, 0), ("--json", "no command", 1),
            ("--json", #"{"action":"open","number":7}"#, 1),
            ("--json", #"{"action":"sendNews","text":"hello"}"#, 1),
        ] as [(String, String, Int32)]
    )
    func exitCodes(_ form: String, _ input: String, _ expected: Int32) async throws {
        try await HostedHub.run { hub in
            let folder = ScenarioFolder()
            let program = try Program.belfry(
                ["app", form, "--data", hub.folder.path, "--folder", folder.file("phone")]
            )
            program.write(input + "\n")
            program.closeInput()
            let code = try await program.exitCode()
            #expect(code == expected, "\(program.output.events) \(program.errors.events)")
        }
    }
}
