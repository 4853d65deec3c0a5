import DeviceEmulator
import Foundation
import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// What the phone's app makes of what it gets, and what it tells of it.
@Suite("Content on the phone")
struct AppContentTests {
    @Test("the hub hears that it arrived, was shown and was opened, also when that was a day later")
    func receipts() async throws {
        let hub = try await RunningHub.start()
        let folder = ScenarioFolder()
        let arguments = ["--data", hub.folder.path]
        let app = try AppProcess(folder, arguments)
        try await app.perform(PhoneCommand(.subscribe, tags: ["World"]))
        let caller = try RESTCaller(hub.connection)
        let sent = try await caller.send(
            #"{"messageParam":"hello"}"#,
            tags: "World",
            headers: ["Belfry-Receipts": "true"]
        )
        #expect(sent.status == 201, "\(sent.text)")
        try await app.until("the news") { $0.contains { $0.event == .shown } }
        try await app.end()

        let again = try AppProcess(folder, arguments)
        try await again.perform(PhoneCommand(.open))
        // Opened twice is opened once.
        try await again.perform(PhoneCommand(.open))
        let path = try #require(sent.headers["location"]).split(separator: "?")[0]
        try await caller.expect(
            ["apple": "acknowledged 1, displayed 1, matchedConnected 1, opened 1"],
            hub.connection,
            String(try #require(path.split(separator: "/").last))
        )
        await caller.close()
        try await again.end()
        #expect(try await hub.terminate() == 0)
    }

    @Test(
        "in the background content is fetched first and told later; without a login nothing is told"
    )
    func background() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let app = try AppProcess(folder, backend, user: "alice", ["--background"])
            try await app.until("a registration") { $0.contains { $0.event == .registered } }
            let address = "https://news.example/a?b=1"
            let body =
                #"{"kind":"rich","to":"alice","message":"Read this","type":"url","#
                + #""mediaType":"text/uri-list","payload":"\#(Data(address.utf8).base64EncodedString())"}"#
            let sent = try await backend.ask(.POST, "/api/notifications", as: "bob", json: body)
            #expect(sent.status == 200, "\(sent.text)")
            let lines = try await app.until("the message") { $0.contains { $0.event == .shown } }
            let events = lines.map(\.event).filter { [.push, .fetch, .shown].contains($0) }
            #expect(events == [.push, .fetch, .shown])
            #expect(lines.compactMap(\.shown).last?.buttons == ["OK", "More"])
            try await app.perform(PhoneCommand(.open))
            let opened = try #require(app.lines.compactMap(\.opened).last?.content)
            #expect(opened.content == address && opened.mediaType == "text/uri-list")
            let kept = FileManager.default.contents(atPath: opened.path)
            #expect(kept == Data(address.utf8))

            try await app.perform(PhoneCommand(.forgetToken))
            let late = try await backend.ask(.POST, "/api/notifications", as: "bob", json: body)
            #expect(late.status == 200, "\(late.text)")
            let failed = try await app.until("a failure") { lines in
                lines.contains { $0.fetch?.outcome == .failed }
            }
            #expect(failed.count { $0.event == .shown } == 1)
            try await app.end()
        }
    }

    @Test("on a phone that is away every text, quote and control character arrives as it was sent")
    func texts() async throws {
        try await HostedBackend.run { _, backend in
            try backend.add("alice", "bob")
            let folder = ScenarioFolder()
            let texts = ["Tea at \"four\" & <cake> \u{1F370}?", "\u{1B}[2J\u{7}", "\u{202E}evil"]
            for (platform, pns) in [("apple", "apns"), ("gcm", "gcm"), ("wns", "wns")] {
                let first = try AppProcess(
                    folder,
                    backend,
                    user: "alice",
                    ["--platform", platform]
                )
                try await first.until("a registration") { lines in
                    lines.contains { $0.event == .registered }
                }
                try await first.end()
                for text in texts {
                    let sent = try await backend.send(text, from: "bob", to: "alice", pns: pns)
                    #expect(sent.status == 200, "\(platform): \(sent.text)")
                }
                let app = try AppProcess(folder, backend, ["--platform", platform])
                let lines = try await app.until("all texts") { lines in
                    lines.count { $0.event == .shown } == texts.count
                }
                // XML has no way to say most control characters.
                let expected = texts.map { text in
                    platform == "wns"
                        ? text.replacing("\u{1B}", with: "\u{FFFD}")
                            .replacing("\u{7}", with: "\u{FFFD}") : text
                }
                let shown = lines.filter { $0.event == .shown }.compactMap(\.text)
                #expect(shown == expected.map { "From bob: \($0)" }, "\(platform)")
                try await app.end()
                try FileManager.default.removeItem(atPath: folder.file("phone"))
            }
        }
    }
}
