import Foundation
import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// Who is meant, before and after something is sent.
@Suite("Audiences on the command line")
struct AudienceCommandTests {
    private static func ran(
        _ arguments: [String]
    ) async throws -> (code: Int32, output: [String], errors: [String]) {
        let program = try Program.belfry(arguments)
        let code = try await program.exitCode()
        return (code, program.output.events, program.errors.events)
    }

    @Test(
        "a send that reaches nobody says whom its tags mean; audience and --dry-run say it before"
    )
    func silence() async throws {
        let hub = try await RunningHub.start()
        let data = ["--data", hub.folder.path]
        let device = try Program.belfry(["device", "--tag", "World"] + data)
        try await device.output.wait(for: "a subscription") { lines in
            lines.contains { $0.hasPrefix("subscribed") }
        }
        let world = data + ["--tags", "World"]
        let missed = try await Self.ran(["send"] + world + [#"{"messageParam":"Hello"}"#])
        #expect(missed.code == 0 && missed.output.count == 1, "\(missed)")
        let note = "it reaches no device: 0 of 1 registration with World match template; "
        #expect(missed.errors == [note + "there is 1 native apple"])
        let foreseen = try await Self.ran(["send", "--dry-run"] + world + ["{}"])
        #expect(foreseen.output.first == "0 registrations" && foreseen.errors == missed.errors)
        let none = try await Self.ran(["send", "--tags", "Mars"] + data + ["{}"])
        #expect(none.errors == ["it reaches no device: no registration with Mars is there"])

        let apple = ["--format", "apple"]
        let body = #"{"aps":{"alert":"Hello"}}"#
        let reached = try await Self.ran(["send"] + world + apple + [body])
        #expect(reached.code == 0 && reached.errors == [], "\(reached)")
        try await device.output.wait(for: "the notification") { lines in
            lines.count { $0.contains("Hello") && $0.hasPrefix("[") } == 1
        }
        let dry = try await Self.ran(["send", "--dry-run"] + world + apple + [body])
        #expect(dry.code == 0 && dry.output.first == "1 registration: 1 native apple", "\(dry)")
        #expect(dry.output.last == "    " + body, "\(dry)")
        let audience = try await Self.ran(["audience"] + world)
        #expect(audience.output.first == "1 registration: 1 native apple", "\(audience)")
        let other = try await Self.ran(["audience", "--json", "--format", "wns"] + world)
        #expect(other.code == 0 && other.output.joined().contains(#""registrations":0"#))
        // The dry run has sent nothing.
        #expect(device.output.events.count { $0.hasPrefix("[") } == 1)
        device.signal(SIGTERM)
        #expect(try await device.exitCode() == 0)
        #expect(try await hub.terminate() == 0)
    }

    @Test("a preview shows each different text once, in the words of the command line")
    func preview() async throws {
        let hub = try await RunningHub.start()
        var phones: [Phone] = []
        for (number, platform) in [Platform.apple, .apple, .windows].enumerated() {
            phones.append(
                try await Phone.subscribed(
                    hub.connection,
                    name: "phone \(number)",
                    .news(platform, tags: ["World", "phone-\(number)"])
                )
            )
        }
        let data = ["preview", "--data", hub.folder.path]
        let body = #"{"messageParam":"<Hello>"}"#
        let told = try await Self.ran(data + ["--tags", "World", body])
        #expect(told.code == 0 && told.errors == [], "\(told)")
        #expect(told.output.first == "3 registrations: 2 template apple, 1 template wns")
        let heads = told.output.filter { $0.hasPrefix("template ") }
        #expect(heads == ["template apple, 2 of those asked", "template wns"])
        #expect(told.output.contains { $0.hasPrefix("  ") && $0.contains("&lt;Hello&gt;") })
        let one = try await Self.ran(data + ["--tags", "phone-2", "--json", body])
        #expect(one.code == 0 && one.output.joined().contains(#""platform":"windows""#))
        let wrong = try await Self.ran(data + ["--format", "aple", body])
        #expect(wrong.code == 64 && wrong.errors.joined().contains("did you mean 'apple'"))
        #expect(phones.allSatisfy { $0.texts.isEmpty })
        for phone in phones { await phone.close() }
        #expect(try await hub.terminate() == 0)
    }

    @Test("a token opens what its key opens, and no more")
    func token() async throws {
        let hub = try await RunningHub.start()
        let data = ["token", "--data", hub.folder.path]
        let caller = try RESTCaller(hub.connection)
        for (arguments, path, status) in [
            (data, "hub/registrations", 200),
            (data + ["--rights", "send"], "hub/registrations", 403),
            (data + ["--rights", "namespace"], "$Resources/NotificationHubs", 200),
            (data, "$Resources/NotificationHubs", 401),
        ] {
            let printed = try await Self.ran(arguments)
            let token = try #require(printed.output.first, "\(printed)")
            #expect(printed.code == 0 && printed.output.count == 1, "\(printed)")
            let answer = try await caller.perform(.GET, path, authorization: token)
            #expect(answer.status == status, "\(arguments): \(answer.text)")
        }
        await caller.close()
        let string = hub.connection.connectionStrings.send
        let named = try await Self.ran(
            ["token", "--connection-string", string, "--hub", "hub", "--minutes", "5"]
        )
        #expect(
            named.code == 0 && named.output.first?.hasPrefix("SharedAccessSignature sr=") == true
        )
        for wrong in [
            ["--connection-string", string], ["--minutes", "0"] + data.dropFirst(),
            ["--minutes", "1441"] + data.dropFirst(),
            ["--connection-string", string, "--hub", "hub", "--rights", "send"],
        ] {
            #expect(try await Self.ran(["token"] + wrong).code == 64, "\(wrong)")
        }
        #expect(try await hub.terminate() == 0)
    }

    @Test("a key that may only send gets no note, and its send is accepted")
    func sendKey() async throws {
        let hub = try await RunningHub.start()
        let send = hub.connection.connectionStrings.send + ";EntityPath=hub"
        let ca = try #require(hub.connection.ca)
        let told = try await Self.ran(["send", "--connection-string", send, "--ca", ca, "{}"])
        #expect(told.code == 0 && told.output.count == 1 && told.errors == [], "\(told)")
        #expect(try await hub.terminate() == 0)
    }
}
