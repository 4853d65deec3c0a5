import DeviceEmulator
import Foundation
import Testing

/// What scripts and terminals get of the phone's app when something goes wrong.
@Suite("The phone's app in scripts")
struct AppScriptTests {
    @Test("what a backend says to refuse a login moves nothing in the terminal")
    func hostileRefusal() async throws {
        try await HostedHub.run { hub in
            let body = #"{"Message":"\u001b]0;owned\u0007\u001b[2Jno\nentry"}"#
            let mute = try await MuteHub(like: hub, [.reply(403, [:], body: body)])
            let backend = try mute.backend()
            let folder = TemporaryFolder()
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
}
