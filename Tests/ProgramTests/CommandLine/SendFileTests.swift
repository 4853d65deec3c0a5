import Foundation
import HubClient
import HubSender
import Testing

@testable import ScenarioSupport

@Suite("belfry send --file", .timeLimit(.minutes(3)))
struct SendFileTests {
    private static let line = #"{"format":"apple","tags":"a","body":{"aps":{}}}"#

    /// What `--json` says of one line.
    private struct Told: Decodable {
        var line: Int
        var outcome: String
        var status: Int?
        var id: String?
        var detail: String?
        var followsUnanswered: Bool?
    }

    private struct Run {
        var code: Int32
        var told: [Told]
        var errors: String
    }

    /// Runs it with lines in a file, at the hub of a folder.
    private static func run(
        _ data: String,
        _ lines: [String],
        _ options: [String] = []
    ) async throws -> Run {
        let folder = ScenarioFolder()
        try folder.write(lines.joined(separator: "\n"), to: "lines.ndjson")
        let file = folder.file("lines.ndjson")
        let program = try Program.belfry(
            ["send", "--data", data, "--json", "--file", file] + options
        )
        let code = try await program.exitCode()
        let told = try program.output.events.map {
            try JSONDecoder().decode(Told.self, from: Data($0.utf8))
        }
        return Run(code: code, told: told, errors: program.errors.events.joined(separator: "\n"))
    }

    private static func mute(
        _ reactions: [MuteHub.Reaction],
        _ body: (MuteHub) async throws -> Void
    ) async throws {
        try await HostedHub.run { hub in
            let mute = try await MuteHub(like: hub, reactions)
            try await body(mute)
            try await mute.close()
        }
    }

    private static func keys(_ request: MuteHub.Request) throws -> [String] {
        try request.body.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require((object as? [String: Any])?["idempotencyKey"] as? String)
        }
    }

    @Test("gives each line a key that stays with it through every repeat")
    func keys() async throws {
        let first =
            MuteHub.accepted(["1"])
            + "{\"line\":2,\"status\":503,\"code\":50300,\"detail\":\"\",\"retryAfterSeconds\":0}\n"
            + "{\"line\":3,\"status\":503,\"code\":50300,\"detail\":\"\",\"retryAfterSeconds\":0}\n"
        let reactions: [MuteHub.Reaction] = [
            .silence, .reply(200, [:], body: first), .silence,
            .reply(200, [:], body: MuteHub.accepted(["2", "3"])),
        ]
        try await Self.mute(reactions) { mute in
            let own = #"{"body":{},"idempotencyKey":"own"}"#
            let run = try await Self.run(mute.folder.path, [Self.line, "", Self.line, own])
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.told.map(\.line) == [1, 3, 4] && run.told.map(\.id) == ["1", "2", "3"])
            let keys = try mute.requests.events.map(Self.keys)
            #expect(keys.count == 4)
            #expect(keys[0] == keys[1] && keys[2] == keys[3])
            #expect(Array(keys[0][1...]) == keys[2])
            #expect(keys[0][0].hasSuffix("/1") && keys[0][1].hasSuffix("/3"))
            #expect(keys[0][0].count == 34 && keys[0][2] == "own")
        }
    }

    @Test("says how to go on, and going on sends nothing twice")
    func goingOn() async throws {
        let lines = (1...5).map { #"{"format":"apple","body":{"aps":{"alert":"\#($0)"}}}"# }
        var options: [String] = []
        try await Self.mute([.reply(507, [:], body: "")]) { mute in
            let run = try await Self.run(mute.folder.path, lines)
            #expect(run.code == 1)
            #expect(run.told.map(\.outcome) == Array(repeating: "refused", count: 5))
            let words = run.errors.split(separator: " ").map(String.init)
            let start = try #require(words.firstIndex(of: "--from"), "\(run.errors)")
            options = Array(words[start..<start + 4])
            #expect(options[1] == "1" && options[2] == "--idempotency-key")
            options[3] = String(options[3].prefix { $0 != ":" })
            let key = options[3]
            #expect(try Self.keys(mute.requests.events[0]) == (1...5).map { "\(key)/\($0)" })
        }
        try await HostedHub.run { hub in
            // As if the disk had kept lines 3 and 4 after all.
            let again = options[2...] + ["--from", "3"]
            let kept = try await Self.run(hub.folder.path, Array(lines[..<4]), Array(again))
            #expect(kept.code == 0 && kept.told.map(\.line) == [3, 4])
            let all = try await Self.run(hub.folder.path, lines, options)
            #expect(all.code == 0 && all.told.map(\.line) == [1, 2, 3, 4, 5])
            #expect(all.told[2...3].map(\.id) == kept.told.map(\.id))
            #expect(Set(all.told.compactMap(\.id)).count == 5)
        }
    }

    @Test("says of every line what became of it, also of those that were not sent")
    func every() async throws {
        let lines = (0..<2_300).map { $0 == 1_200 ? " " : Self.line }
        try await Self.mute([.reply(507, [:], body: "")]) { mute in
            let run = try await Self.run(mute.folder.path, lines)
            #expect(run.code == 1 && mute.requests.events.count == 1)
            #expect(run.told.map(\.line) == (1...2_300).filter { $0 != 1_201 })
            #expect(run.told[..<1_000].allSatisfy { $0.outcome == "refused" && $0.status == 507 })
            #expect(run.told[1_000...].allSatisfy { $0.outcome == "unsent" && $0.status == nil })
            #expect(run.told.allSatisfy { $0.detail != nil })
        }
        try await Self.mute([.reply(200, [:], body: "{}\n")]) { mute in
            let run = try await Self.run(mute.folder.path, [Self.line, Self.line])
            #expect(run.code == 1)
            #expect(run.told.map(\.outcome) == ["unanswered", "unanswered"])
        }
        try await HostedHub.run { hub in
            // A line that fits into no request is refused here, in its place, and the others are sent.
            let most = SenderClient.linesBytesMax
            let long = "{\"body\":\"" + String(repeating: "x", count: most) + "\"}"
            let run = try await Self.run(
                hub.folder.path,
                [
                    Self.line, "[]", long, Self.line,
                    "{\"body\":\(String(repeating: " ", count: most))",
                ]
            )
            #expect(run.code == 1)
            #expect(run.told.map(\.line) == [1, 2, 3, 4, 5])
            let outcomes = ["accepted", "refused", "refused", "accepted", "refused"]
            #expect(run.told.map(\.outcome) == outcomes)
            #expect(run.told.map(\.status) == [201, 400, nil, 201, nil])
            #expect(run.told[2].detail?.hasPrefix("line: has more than 4194303 bytes") == true)
        }
    }

    @Test("fills a request with as many lines and bytes as it may have")
    func full() async throws {
        let bodies = String(repeating: "x", count: 39_000)
        let long = #"{"body":{"a":"\#(bodies)"}}"#
        let most = SenderClient.linesBytesMax / (long.utf8.count + 56)
        let full = MuteHub.accepted((1...most).map { "\($0)" })
        let rest = MuteHub.accepted(["x"])
        let reactions: [MuteHub.Reaction] = [
            .reply(200, [:], body: full), .reply(200, [:], body: rest),
        ]
        try await Self.mute(reactions) { mute in
            let lines = Array(repeating: long, count: most + 1)
            let run = try await Self.run(
                mute.folder.path,
                lines,
                ["--idempotency-key", String(repeating: "k", count: 33)]
            )
            #expect(run.code == 0, "\(run.errors)")
            let requests = mute.requests.events
            #expect(requests.count == 2)
            #expect((requests.first?.body.utf8.count ?? 0) > 4_150_000)
        }
    }

    @Test("takes keys and numbers that mean something, otherwise nothing is sent")
    func usage() async throws {
        let folder = ScenarioFolder()
        let long = String(repeating: "k", count: 45)
        let wrong = [
            ["--file", "-", "--from", "0"], ["{}", "--from", "1"],
            ["--file", "-", "--idempotency-key", long], ["--file", "-", "--idempotency-key", ""],
            ["--file", "-", "--idempotency-key", "a\"b"], ["{}", "--idempotency-key", "ä"],
            ["{}", "--test", "--idempotency-key", "a"],
        ]
        for options in wrong {
            let program = try Program.belfry(["send", "--data", folder.path] + options)
            #expect(try await program.exitCode() == 64, "\(options)")
        }
        try await HostedHub.run { hub in
            var ids: Set<String> = []
            let key = String(repeating: "k", count: 64)
            for _ in 0..<2 {
                let program = try Program.belfry([
                    "send", "--data", hub.folder.path, "--idempotency-key", key, "{}",
                ])
                #expect(try await program.exitCode() == 0, "\(program.errors.events)")
                ids.formUnion(program.output.events)
            }
            #expect(ids.count == 1)
            let most = String(repeating: "k", count: 44)
            let run = try await Self.run(
                hub.folder.path,
                [Self.line],
                ["--idempotency-key", most]
            )
            #expect(run.code == 0, "\(run.errors)")
        }
    }
}
