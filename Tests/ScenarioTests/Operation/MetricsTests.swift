import Foundation
import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Numbers for operators")
struct MetricsTests {
    @Test("are read with the token that stands in the data folder, which opens nothing else")
    func scraped() async throws {
        let hub = try await RunningHub.start()
        let caller = try RESTCaller(hub.connection)
        #expect(try await caller.send("{}", tags: "nobody").status == 201)
        #expect(try await caller.send("{}", tags: "a &&").status == 400)
        let path = hub.folder.path + "/metrics.token"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasSuffix("\n"))
        let token = "SharedAccessSignature " + text.trimmingCharacters(in: .newlines)
        let answer = try await caller.perform(.GET, "$belfry/metrics", authorization: token)
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let sent = "belfry_rest_requests_total{operation=\"send\",status=\"201\",code=\"0\"} 1"
        let refused = "belfry_rest_requests_total{operation=\"send\",status=\"400\""
        let kept = "belfry_matches_not_delivered_total"
        for words in [
            "\nbelfry_log_head{hub=\"hub\"} 1\n", "\nbelfry_connections 0\n",
            "\nbelfry_problems 0\n", "\n# TYPE belfry_cpu_seconds_total counter\n",
            "\n\(sent)\n", "\n\(refused)", "\nbelfry_readers_looked_at_total 0\n",
            "\n\(kept){reason=\"collapsed\"} 0\n", "\n\(kept){reason=\"capped\"} 0\n",
            "\n\(kept){reason=\"purged\"} 0\n",
            // Alarms compare these with what comes later.
            "\nbelfry_rest_connections_yielded_total 0\n",
            "\nbelfry_directory_events_total{hub=\"hub\",event=\"log_too_large\"} 0\n",
        ] {
            #expect(answer.text.contains(words), "\(words) is missing in: \(answer.text)")
        }
        for other in ["$Resources/NotificationHubs", "hub", "hub/registrations"] {
            let refused = try await caller.perform(.GET, other, authorization: token)
            #expect(refused.status == 401, "\(other)")
        }
        let bare = try await caller.perform(.GET, "$belfry/metrics", authorization: nil)
        #expect(bare.status == 401)
        await caller.close()
        #expect(try await hub.terminate() == 0, "\(hub.program.errors.events)")
    }

    @Test("tell that the hub may have as many open files as the system allows it")
    func openFiles() async throws {
        let folder = ScenarioFolder()
        let words = "ulimit -S -n 300; exec \"$0\" \"$@\""
        let program = try Program(
            "/bin/sh",
            [
                "-c", words, try Program.belfryPath, "serve", "--data", folder.path,
                "--rest-port", "0", "--device-port", "0", "--until-stdin-closes",
            ]
        )
        try await program.output.wait(for: "the line of a hub that listens") { lines in
            lines.contains { $0.hasPrefix("belfry: REST on ") }
        }
        let caller = try RESTCaller(try ConnectionFile(dataFolder: folder.path))
        let answer = try await caller.perform(
            .GET,
            "$belfry/metrics",
            authorization: folder.metricsToken()
        )
        let line = try #require(
            answer.text.split(separator: "\n").first { $0.hasPrefix("belfry_open_files_max ") }
        )
        let limit = try #require(line.split(separator: " ").last.flatMap { Int($0) })
        #expect(limit > 300)
        await caller.close()
        program.signal(SIGTERM)
    }
}
