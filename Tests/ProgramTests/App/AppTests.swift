import AppBackend
import DeviceEmulator
import Foundation
import HubClient
import HubSender
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// `belfry app` as a person or a script starts it, in a process of its own.
@Suite("The phone's app")
struct AppTests {
    @Test("logs in, subscribes, receives, opens; killed and restarted it loses and repeats nothing")
    func wholeDay() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let app = try AppProcess(folder, backend, user: "alice")
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            try await app.perform(PhoneCommand(.subscribe, tags: ["World"]))
            for number in 1...3 {
                let sent = try await backend.send("number \(number)", from: "bob", to: "alice")
                #expect(sent.status == 200)
            }
            try await Self.send("Breaking World News : one", to: "World", hub)
            try await app.until("four notifications") { $0.count { $0.event == .shown } == 4 }
            var open = PhoneCommand(.open)
            open.number = 1
            try await app.perform(open)
            #expect(app.lines.last { $0.event == .opened }?.text == "From bob: number 1")
            let handle = try #require(try Self.handle(folder))
            try await app.kill()

            for number in 4...5 {
                let sent = try await backend.send("number \(number)", from: "bob", to: "alice")
                #expect(sent.status == 200)
            }
            try await Self.send("Breaking World News : two", to: "World", hub)
            try await Self.send("Breaking Sports News : none of hers", to: "Sports", hub)

            let again = try AppProcess(folder, backend)
            try await again.until("what was missed") { lines in
                lines.contains { $0.text?.hasSuffix("News : two") == true }
            }
            try await again.perform(PhoneCommand(.inbox))
            let entries = again.lines.filter { $0.event == .entry }
            let expected =
                (1...3).map { "From bob: number \($0)" } + ["Breaking World News : one"]
                + (4...5).map { "From bob: number \($0)" } + ["Breaking World News : two"]
            #expect(entries.compactMap(\.text) == expected)
            #expect(entries.compactMap(\.item?.number) == Array(1...7))
            #expect(entries.first?.item?.isOpened == true)
            #expect(again.lines.first { $0.event == .started }?.text == "alice")
            // The backend confirmed it a moment ago, and nothing has changed.
            #expect(!again.lines.contains { $0.registered?.id != nil })
            #expect(try Self.handle(folder) == handle)
            try await again.end()
        }
    }

    @Test("what is switched off stops arriving, down to nothing at all")
    func switches() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob")
            let app = try AppProcess(ScenarioFolder(), backend, user: "alice")
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            var subscribe = PhoneCommand(.subscribe, tags: ["World"])
            try await app.perform(subscribe)
            subscribe.tags = ["Sports"]
            try await app.perform(subscribe)
            try await Self.send("not any more", to: "World", hub)
            try await Self.send("Breaking Sports News : goal", to: "Sports", hub)
            try await app.until("the goal") { $0.contains { $0.text?.hasSuffix("goal") == true } }
            #expect(!app.lines.contains { $0.text == "not any more" })
            subscribe.tags = []
            try await app.perform(subscribe)
            try await Self.send("to nobody", to: "Sports", hub)
            _ = try await backend.send("the end", from: "bob", to: "alice")
            try await app.until("the end") { $0.contains { $0.text == "From bob: the end" } }
            #expect(!app.lines.contains { $0.text == "to nobody" })
            try await app.end()
        }
    }

    @Test("two apps: one sends the other a text, a secure message and a picture, by lines")
    func plain() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let bob = try Self.plain(folder.file("bob"), backend)
            bob.write("login bob\npassword of bob\n")
            try await bob.output.wait(for: "a registration") { lines in
                lines.contains("Registered successfully!")
            }
            let alice = try Self.plain(folder.file("alice"), backend)
            alice.write("login alice\npassword of alice\nplatforms apple\n")
            alice.write("send bob Tea at \u{1B}[2J\"four\"?\nsecure bob the code is 17\npicture\n")
            try await bob.output.wait(for: "both") { $0.contains("[2] the code is 17") }
            #expect(bob.output.events.contains("[1] From alice: Tea at \\u{1B}[2J\"four\"?"))
            try await alice.output.wait(for: "the picture") { lines in
                lines.contains("[1] Check this image out! [OK] [More]")
            }
            alice.write("open\n")
            let opened = try await alice.output.wait(for: "the opened picture") { lines in
                lines.contains { $0.hasPrefix("opened [1] Check this image out!; image/png, ") }
            }
            let path = opened.last { $0.contains("saved as ") }.flatMap { line in
                line.firstRange(of: "saved as ").map { String(line[$0.upperBound...]) }
            }
            let image = FileManager.default.contents(atPath: path ?? "") ?? Data()
            #expect(Array(image.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
            // The password and the secure message are in no file of the phones.
            for text in ["password of", "the code is 17"] {
                #expect(Self.files(below: folder.path, holding: text) == [])
            }
            for app in [alice, bob] {
                app.closeInput()
                #expect(try await app.exitCode() == 0, "\(app.errors.events)")
                let isPlain = app.output.events.joined().unicodeScalars.allSatisfy {
                    $0.properties.generalCategory != .control
                }
                #expect(isPlain, "\(app.output.events)")
            }
        }
    }

    @Test("a changed handle goes to the same registration and gets each notification once")
    func newHandle() async throws {
        try await HostedBackend.run { hub, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let first = try AppProcess(folder, backend, user: "alice")
            let lines = try await first.until("a registration") { lines in
                lines.contains { $0.event == .registered }
            }
            let id = try #require(lines.compactMap(\.registered).last?.id)
            let handle = try Self.handle(folder)
            try await first.perform(PhoneCommand(.subscribe, tags: ["World"]))
            try await first.end()

            let second = try AppProcess(folder, backend, user: "alice", ["--new-handle"])
            let later = try await second.until("both registrations") { lines in
                lines.contains { $0.registered?.id != nil }
                    && lines.contains { $0.registered?.tags == ["World"] }
            }
            let registered = later.compactMap(\.registered)
            #expect(registered.compactMap(\.id) == [id], "\(later)")
            #expect(try Self.handle(folder) != handle)
            _ = try await backend.send("once", from: "bob", to: "alice")
            try await Self.send("Breaking World News : once", to: "World", hub)
            try await second.until("both") { $0.count { $0.event == .shown } == 2 }
            try await second.perform(PhoneCommand(.newHandle))
            _ = try await backend.send("the end", from: "bob", to: "alice")
            try await second.until("the end") {
                $0.contains { $0.text?.hasSuffix("the end") == true }
            }
            #expect(second.lines.count { $0.event == .shown } == 3)
            try await second.end()
        }
    }

    @Test("who logs in after another sees nothing of them, and nothing arrives for who left")
    func twoUsers() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let app = try AppProcess(folder, backend, user: "alice")
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            _ = try await backend.send("for alice", from: "bob", to: "alice")
            try await app.until("hers") { $0.contains { $0.event == .shown } }
            try await app.perform(PhoneCommand(.logOut))
            _ = try await backend.send("too late", from: "bob", to: "alice")
            let logIn = PhoneCommand(.logIn, user: "bob", password: "password of bob")
            try await app.perform(logIn)
            _ = try await backend.send("for bob", from: "alice", to: "bob")
            try await app.until("his") { $0.contains { $0.text == "From alice: for bob" } }
            try await app.perform(PhoneCommand(.inbox))
            let entries = app.lines.filter { $0.event == .entry }.compactMap(\.text)
            #expect(entries == ["From alice: for bob"])
            #expect(!app.lines.contains { $0.text?.contains("too late") == true })
            #expect(Self.files(below: folder.path, holding: "for alice") == [])
            try await app.end()
        }
    }

    @Test("a secure message without a login says so, and is read after one, also after a restart")
    func secure() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let app = try AppProcess(folder, backend, user: "bob")
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            try await app.perform(PhoneCommand(.forgetToken))
            let body = #"{"kind":"secure","to":"bob","payload":"the code is 17"}"#
            let sent = try await backend.ask(.POST, "/api/notifications", as: "alice", json: body)
            #expect(sent.status == 200)
            try await app.until("a hint") { $0.contains { $0.text == PhoneInbox.logInText } }
            try await app.perform(PhoneCommand(.open))
            #expect(app.lines.last { $0.event == .opened }?.text == PhoneInbox.logInText)
            try await app.kill()

            let again = try AppProcess(folder, backend, user: "bob")
            try await again.until("the message") { $0.contains { $0.text == "the code is 17" } }
            try await again.end()
            #expect(Self.files(below: folder.path, holding: "the code is 17") == [])
            // Served any number of times, but never from the phone's own disk.
            let third = try AppProcess(folder, backend)
            try await third.until("a start") { $0.contains { $0.event == .connected } }
            try await third.perform(PhoneCommand(.open))
            #expect(third.lines.last { $0.event == .opened }?.text == "the code is 17")
            try await third.end()
        }
    }

    @Test("a wrong password, and no backend, are one line and exit code 1")
    func refusals() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice")
            let folder = ScenarioFolder()
            try folder.write("not hers\n", to: "password")
            let wrong = try Program.belfry([
                "app", "--json", "--backend-data", backend.options.data, "--folder",
                folder.file("phone"), "--user", "alice", "--password-file",
                folder.file("password"),
            ])
            #expect(try await wrong.exitCode() == 1)
            #expect(wrong.errors.events.count == 1)
            #expect(wrong.errors.events == ["Error: Wrong name or password."])
            #expect(!wrong.errors.events.joined().contains("not hers"))

            // A person at the prompt may try again.
            let app = try Self.plain(folder.file("phone"), backend)
            app.write("login alice\nwrong again\nlogin alice\npassword of alice\n")
            try await app.output.wait(for: "a login") { $0.contains("logged in as alice") }
            #expect(app.output.events.contains { $0 == "failed: Wrong name or password." })
            let second = try Self.plain(folder.file("phone"), backend)
            #expect(try await second.exitCode() == 1)
            #expect(second.errors.events.joined().contains("in use"), "\(second.errors.events)")
            app.signal(SIGTERM)
            #expect(try await app.exitCode() == 0, "\(app.errors.events)")
        }
        let folder = ScenarioFolder()
        let nowhere = try Program.belfry([
            "app", "--plain", "--backend-data", folder.path, "--folder", folder.file("phone"),
        ])
        #expect(try await nowhere.exitCode() == 1)
        #expect(nowhere.errors.events.joined().contains("backend.json"))
    }

    @Test("with the hub away the app starts, says so, and gets everything when it is back")
    func hubAway() async throws {
        let hub = try await RunningHub.startRestartable()
        let folder = ScenarioFolder()
        let arguments = ["--data", hub.folder.path]
        let first = try AppProcess(folder, arguments)
        try await first.perform(PhoneCommand(.subscribe, tags: ["World"]))
        try await first.end()
        #expect(try await hub.terminate() == 0)

        let second = try AppProcess(folder, arguments)
        try await second.until("no connection") { $0.contains { $0.event == .disconnected } }
        try await second.perform(PhoneCommand(.inbox))
        let back = try await hub.startedAgain()
        try await second.until("a registration") { $0.contains { $0.event == .registered } }
        let sender = try SenderClient(back.connection)
        _ = try await sender.send(.template(["messageParam": "back"], tags: "World"))
        await sender.close()
        try await second.until("the news") { $0.contains { $0.text == "back" } }
        try await second.end()
        #expect(try await back.terminate() == 0)
    }

    @Test("the news are sent from the app with a key that its user supplies, and only with one")
    func news() async throws {
        let hub = try await RunningHub.start()
        let folder = ScenarioFolder()
        let mara = try AppProcess(folder, ["--data", hub.folder.path, "--platform", "wns"])
        var subscribe = PhoneCommand(.subscribe, tags: ["World", "Sports"])
        subscribe.locale = "fr"
        try await mara.perform(subscribe)
        try folder.write(hub.connection.connectionStrings.send + "\n", to: "send.key")
        let sender = try Program.belfry([
            "app", "--plain", "--data", hub.folder.path, "--folder", folder.file("sender"),
            "--send-key-file", folder.file("send.key"),
        ])
        sender.write("news hello\n")
        try await sender.output.wait(for: "an answer") { $0.contains("sent") }
        try await mara.until("both") { $0.count { $0.event == .shown } == 2 }
        #expect(
            mara.lines.filter { $0.event == .shown }.compactMap(\.text)
                == ["Breaking World News : hello", "Breaking Sports News : hello"]
        )
        // A Listen key cannot send.
        var listening = PhoneCommand(.sendNews, text: "no")
        listening.key = hub.connection.connectionStrings.listen
        try await mara.perform(listening)
        let refused = mara.lines.last { $0.event == .sent }?.text ?? ""
        #expect(refused.contains("World: ") && refused.contains("403"), "\(refused)")
        try await mara.perform(PhoneCommand(.sendNews, text: "no"))
        let without = mara.lines.last { $0.event == .sent }?.text ?? ""
        #expect(without.contains("send key"), "\(without)")
        try await mara.end(code: 1)
        sender.write("quit\n")
        #expect(try await sender.exitCode() == 0, "\(sender.errors.events)")
        #expect(try await hub.terminate() == 0)
    }

    @Test(
        "wrong usage is 64, help is 0",
        arguments: [
            ("", 64), ("--data x --platform pigeon", 64), ("--data x --json --plain", 64),
            ("--data x --patience 0", 64), ("--data x --patience 91", 64),
            ("--backend http://a", 64), ("--backend https://a/b?c", 64), ("--data x --ca y", 64),
            ("--data x --user alice", 64), ("--data x --trace", 64),
            ("--backend-data x --user alice", 64), ("--help", 0),
        ] as [(String, Int32)]
    )
    func usage(_ line: String, _ expected: Int32) async throws {
        let program = try Program.belfry(["app"] + line.split(separator: " ").map(String.init))
        let code = try await program.exitCode()
        #expect(code == expected, "\(program.errors.events)")
    }

    // MARK: What the tests share

    private static func plain(_ folder: String, _ backend: HostedBackend) throws -> Program {
        try Program.belfry(
            ["app", "--backend-data", backend.options.data, "--folder", folder]
        )
    }

    private static func send(_ text: String, to tags: String, _ hub: HostedHub) async throws {
        let sender = try SenderClient(hub.connection)
        _ = try await sender.send(.template(["messageParam": text], tags: tags))
        await sender.close()
    }

    /// The push handle that an app's file holds.
    private static func handle(_ folder: ScenarioFolder) throws -> String? {
        let path = folder.file("phone/device.state")
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        return text.matches(of: #/"handle":"([^"]+)"/#).last.map { String($0.1) }
    }

    private static func files(below folder: String, holding text: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        return names.filter { name in
            FileManager.default.contents(atPath: folder + "/" + name)?
                .range(of: Data(text.utf8)) != nil
        }
    }
}
