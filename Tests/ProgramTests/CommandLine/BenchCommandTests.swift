import Foundation
import HubBench
import Testing

@testable import ScenarioSupport

/// Each benchmark at a size that takes a moment, with a hub in a process of its own.
@Suite("belfry bench", .timeLimit(.minutes(5)))
struct BenchCommandTests {
    /// Runs a benchmark; the report that it printed.
    private static func report(
        _ line: String,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> BenchReport {
        let arguments = ["bench"] + line.split(separator: " ").map(String.init) + ["--json"]
        let program = try Program.belfry(arguments)
        let code = try await program.exitCode(seconds: 120)
        let text = program.output.events.joined(separator: "\n")
        #expect(
            code == 0,
            "\(line): \(text) \(program.errors.events)",
            sourceLocation: sourceLocation
        )
        let reports = try BenchComparison.reports(json: Array(text.utf8))
        let report = try #require(reports.first)
        #expect(report.isExact && reports.count == 1, sourceLocation: sourceLocation)
        #expect(report.counts.delivered == report.counts.expected, sourceLocation: sourceLocation)
        return report
    }

    private static func value(_ name: String, _ report: BenchReport) throws -> Double {
        let names = report.metrics.map(\.name)
        let metric = try #require(report.metrics.first { $0.name == name }, "\(names)")
        return metric.median
    }

    @Test("fanout delivers every notification of every burst, the warm-up's as well")
    func burst() async throws {
        let report = try await Self.report(
            "fanout --devices 20 --notifications 32 --burst 16 --warmup 1 --shards 1"
        )
        #expect(report.scenario == "fanout")
        #expect(report.counts.delivered == 640)
        #expect(try Self.value("server CPU per delivery", report) > 0)
        #expect(report.settings["shards"] == "1" && report.settings["burst"] == "16")
    }

    @Test("fanout at a rate measures from when a send was due")
    func rate() async throws {
        let report = try await Self.report(
            "fanout --devices 10 --notifications 10 --rate 100 --records own --submission send"
        )
        #expect(report.counts.delivered == 100)
        #expect(report.settings["rate"] == "100.0")
        #expect(report.environment.records == "own" && report.environment.submission == "send")
        #expect(report.latencies.contains { $0.name == "send to receipt" && $0.count == 100 })
    }

    @Test("targeted reaches one device with each send, and tells what the delivery adds")
    func targeted() async throws {
        let report = try await Self.report(
            "targeted --devices 20 --notifications 100 --warmup 10 --window 16 --connections 4"
        )
        #expect(report.scenario == "targeted")
        #expect(report.counts.delivered == 110)
        #expect(try Self.value("server CPU per delivery", report) > 0)
        #expect(try Self.value("server CPU per send to nobody", report) > 0)
        #expect(report.latencies.allSatisfy { $0.count == 100 }, "\(report.latencies)")
    }

    @Test("many sends in one request are counted one by one, and the last request may have fewer")
    func together() async throws {
        let report = try await Self.report(
            "targeted --devices 20 --notifications 105 --warmup 10 --window 40 --connections 2 "
                + "--sends-per-request 20 --rate 2000"
        )
        #expect(report.settings["sends-per-request"] == "20")
        #expect(report.counts.delivered == 115)
        #expect(try Self.value("server CPU per send to nobody", report) > 0)
        #expect(report.latencies.allSatisfy { $0.count == 105 }, "\(report.latencies)")
    }

    @Test("segments reach exactly those that have the tag, over HTTP/2 as well")
    func segments() async throws {
        let report = try await Self.report(
            "segments --devices 30 --tags 6 --tags-per-device 2 --notifications 40 --warmup 5 "
                + "--window 8 --connections 2 --http 2"
        )
        #expect(report.scenario == "segments")
        // Ten of thirty devices, on average.
        #expect((200...700).contains(report.counts.delivered), "\(report.counts)")
    }

    @Test("idle holds connections, then measures single notifications")
    func idle() async throws {
        let report = try await Self.report(
            "idle --devices 20 --tags 3 --minutes 0.005 --singles 20 --rate 200"
        )
        #expect(try Self.value("connections", report) == 20)
        // What a hub has without devices is told apart. So few devices may need no page that the
        // warm-up has not left free.
        let base = try Self.value("memory without devices", report)
        let each = try Self.value("memory per idle connection", report)
        #expect(base > 1_000_000 && each < base / 20, "\(base) \(each)")
        #expect(try Self.value("single, 201 to receipt, p99", report) >= 0)
        #expect(report.counts.delivered == 40)
    }

    @Test("slow readers lose nothing, and neither do the others")
    func slowReaders() async throws {
        let report = try await Self.report(
            "slow-readers --devices 6 --slow 2 --notifications 60 --rate 200 --pairs 1 --warmup 5"
        )
        #expect(report.counts.expected == (5 + 2 * 60) * 6)
        #expect(try Self.value("healthy p99, ratio", report) > 0)
    }

    @Test(
        "drain gives a device its backlog once, and few commits do",
        arguments: BenchStore.allCases
    )
    func drain(store: BenchStore) async throws {
        let report = try await Self.report("drain --notifications 400 --store \(store.rawValue)")
        #expect(report.counts.delivered == 400)
        #expect(try Self.value("drained", report) > 0)
        #expect(try Self.value("commits per notification", report) < 0.5)
        guard store == .file else { return }
        // As long as the file is not replaced, a commit is one sync.
        #expect(try Self.value("syncs per notification", report) < 0.5)
    }

    @Test("storm tells how long devices and sends take, and what the hub needs for it")
    func storm() async throws {
        let report = try await Self.report("storm --devices 30 --backlog 20")
        #expect(report.scenario == "storm")
        for name in ["all connected", "all caught up", "hub listening", "hub memory at most"] {
            #expect(try Self.value(name, report) > 0, "\(name)")
        }
        #expect(report.latencies.map(\.name) == ["send meanwhile"])
    }

    @Test("rest counts what each protocol costs, and one device sees its share arrive")
    func rest() async throws {
        let report = try await Self.report("rest --sends 100 --connections 1,2 --warmup 4")
        for line in [
            "HTTP/1.1, 1 connection", "HTTP/1.1, 2 connections", "HTTP/2, 1 connection",
            "HTTP/2, 2 connections", "installations, 2 connections",
        ] {
            #expect(try Self.value(line + ", server CPU", report) > 0)
            #expect(try Self.value(line + ", rate", report) > 0)
            let latency = try #require(report.latencies.first { $0.name == line })
            #expect(latency.p50 > 0 && latency.max < 60_000_000, "\(latency)")
        }
        #expect(report.counts.delivered > 4)
    }

    @Test("two shards stand beside one, and one page shows both")
    func shards() async throws {
        let folder = ScenarioFolder()
        let page = folder.file("bench.html")
        let program = try Program.belfry([
            "bench", "fanout", "--devices", "8", "--notifications", "4", "--warmup", "1",
            "--compare-shards", "--json", "--report", page,
        ])
        let code = try await program.exitCode(seconds: 120)
        // One core cannot carry two pinned shards.
        guard ProcessInfo.processInfo.processorCount > 1 else { return }
        #expect(code == 0, "\(program.errors.events)")
        let text = program.output.events.joined(separator: "\n")
        let reports = try BenchComparison.reports(json: Array(text.utf8))
        #expect(reports.map { $0.settings["shards"] } == ["1", "2"])
        #expect(reports.map { $0.settings["server-cpus"] } == ["0", "0,1"])
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("--server-cpus 0,1"))
    }

    @Test("compare fails when the second is worse, and says what")
    func compare() async throws {
        let folder = ScenarioFolder()
        var turn = BenchTurn()
        turn.read("server CPU per delivery", 10, "µs", .less)
        turn.read("payload", 256, "bytes", .neither)
        let environment = BenchEnvironment(
            commit: nil,
            processor: "any",
            processors: 2,
            kernel: "6",
            records: "own",
            submission: "ring",
            isOptimized: false,
            load: nil,
            time: "2026-05-06T18:30:00Z"
        )
        func report(_ turn: BenchTurn) throws -> String {
            let report = BenchReport(
                scenario: "fanout",
                settings: [:],
                environment: environment,
                turns: [turn]
            )
            return String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        }
        try folder.write(report(turn), to: "before.json")
        for index in turn.readings.indices { turn.readings[index].value *= 3 }
        try folder.write(report(turn), to: "after.json")
        try folder.write("{}", to: "empty.json")
        for (second, code) in [("before", 0), ("after", 1), ("empty", 1)] as [(String, Int32)] {
            let compare = try Program.belfry([
                "bench", "compare", folder.file("before.json"), folder.file("\(second).json"),
            ])
            #expect(try await compare.exitCode() == code, "\(compare.output.events)")
            guard second == "after" else { continue }
            let worse = compare.output.events.filter { $0.hasSuffix("worse") }
            #expect(worse.count == 1 && worse[0].contains("server CPU"), "\(worse)")
        }
    }
}
