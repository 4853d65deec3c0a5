import DeviceEmulator
import Foundation
import HubBench
import HubClient
import HubServer

/// A hub that was there before: it is measured, and not ended.
struct RunningBenchHub: BenchHub {
    let connection: ConnectionFile

    func restarted() async throws(BenchFailure) -> ConnectionFile {
        throw .hub("a hub that runs already is not killed")
    }
}

extension ChildHub: BenchHub {
    func restarted() async throws(BenchFailure) -> ConnectionFile {
        do {
            return try restart()
        } catch {
            throw .hub("\(error)")
        }
    }
}

/// Measures scenarios in turns and tells the result.
struct BenchRunner {
    let output: BenchOutput
    let hub: HubChoice
    private let notes = SparseNotes()
    private let environment: BenchEnvironment

    init(output: BenchOutput, hub: HubChoice = HubChoice()) {
        self.output = output
        self.hub = hub
        environment = Self.environment(hub)
    }

    /// Reports, and the last turn's figures by name where there are such.
    struct Measured {
        var reports: [BenchReport] = []
        var detail: BenchDetail?
    }

    /// Measures a scenario; with `data` at a running hub.
    func measure(_ scenario: some BenchScenario, data: String? = nil) async throws -> Measured {
        var turns: [BenchTurn] = []
        for number in 1...output.turns {
            let prefix = "\(scenario.name), turn \(number) of \(output.turns): "
            turns.append(try await turn(scenario, data: data, prefix: prefix))
        }
        return Measured(reports: [report(scenario, turns)], detail: turns.last?.detail)
    }

    /// Measures the index, which needs no hub.
    func measure(_ index: IndexBenchmark) -> Measured {
        let turns = (1...output.turns).map { number in
            index.turn { notes.show("index, turn \(number) of \(output.turns): \($0)") }
        }
        notes.clear()
        let report = BenchReport(
            scenario: index.name,
            settings: index.settings,
            environment: environment,
            turns: turns
        )
        return Measured(reports: [report])
    }

    /// The report of some turns.
    func report(_ scenario: some BenchScenario, _ turns: [BenchTurn]) -> BenchReport {
        var settings = scenario.settings
        settings["shards"] = "\(hub.shards)"
        settings["server-cpus"] = hub.cpus
        return BenchReport(
            scenario: scenario.name,
            settings: settings,
            environment: environment,
            turns: turns
        )
    }

    /// Measures a scenario once; `prefix` stands before what is told meanwhile.
    func turn(
        _ scenario: some BenchScenario,
        data: String? = nil,
        prefix: String
    ) async throws -> BenchTurn {
        let notes = notes
        let progress: BenchProgress = { notes.show(prefix + $0) }
        defer { notes.clear() }
        if let data {
            let running = RunningBenchHub(connection: try Self.file(data))
            return try await Self.turn(scenario, running, progress)
        }
        let child = try hub.started()
        defer { child.stop() }
        return try await Self.turn(scenario, child, progress)
    }

    private static func file(_ data: String) throws -> ConnectionFile {
        do throws(ConnectionFileError) {
            return try ConnectionFile(dataFolder: data)
        } catch {
            throw Failure(error)
        }
    }

    private static func turn(
        _ scenario: some BenchScenario,
        _ hub: any BenchHub,
        _ progress: @escaping BenchProgress
    ) async throws -> BenchTurn {
        do throws(BenchFailure) {
            return try await scenario.turn(hub, progress: progress)
        } catch {
            throw Failure(error)
        }
    }

    /// Prints and writes the result; throws when deliveries were lost or something else was wrong.
    func tell(_ measured: Measured) throws {
        if output.json {
            try Terminal.json(BenchAnswer(measured))
        } else {
            for report in measured.reports {
                for line in BenchText.lines(of: report) { Terminal.line(line) }
            }
        }
        if let path = output.report {
            do {
                try BenchPage(measured.reports).html.write(
                    toFile: path,
                    atomically: true,
                    encoding: .utf8
                )
            } catch {
                throw Failure("the report cannot be written: \(error.localizedDescription)")
            }
        }
        let failed = measured.reports.filter { !$0.isExact }.map(\.scenario)
        guard failed.isEmpty else {
            throw Failure(
                "deliveries were lost, duplicated or misrouted, or something else was wrong: "
                    + failed.joined(separator: ", ")
            )
        }
    }

    /// Where this runs; what the hub decides by itself is what its own defaults say.
    private static func environment(_ hub: HubChoice) -> BenchEnvironment {
        let defaults = ServerOptions(data: "")
        let variables = ProcessInfo.processInfo.environment
        let processor = lines(of: "/proc/cpuinfo")
            .first { $0.hasPrefix("model name") }?
            .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        return BenchEnvironment(
            commit: commit(),
            processor: processor ?? "unknown",
            processors: ProcessInfo.processInfo.processorCount,
            kernel: lines(of: "/proc/sys/kernel/osrelease").first ?? "unknown",
            records: hub.records ?? variables["BELFRY_DEVICE_RECORDS"]
                ?? word(defaults.deviceRecords),
            submission: hub.submission ?? variables["BELFRY_DEVICE_SUBMISSION"]
                ?? word(defaults.deviceSubmission),
            isOptimized: isOptimized,
            load: lines(of: "/proc/loadavg").first?.split(separator: " ").first.flatMap {
                Double($0)
            },
            time: Date.now.formatted(.iso8601)
        )
    }

    private static func word(_ choice: some RawRepresentable<String>) -> String {
        choice.rawValue
    }

    private static var isOptimized: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    private static func lines(of path: String) -> [String] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    /// The commit of the source tree around the program, with a mark when files differ from it.
    private static func commit() -> String? {
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let program else { return nil }
        let git = Process()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/git")
        git.arguments = [
            "-C", URL(fileURLWithPath: program).deletingLastPathComponent().path, "describe",
            "--always", "--dirty", "--abbrev=10", "--exclude=*",
        ]
        let output = Pipe()
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        guard (try? git.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        git.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return git.terminationStatus == 0 && !text.isEmpty ? text : nil
    }
}

/// One report as an object with the figures by name beside it, many under `reports`.
struct BenchAnswer: Encodable {
    private enum Key: String, CodingKey {
        case reports
    }

    let measured: BenchRunner.Measured

    init(_ measured: BenchRunner.Measured) { self.measured = measured }

    func encode(to encoder: any Encoder) throws {
        guard measured.reports.count == 1, let report = measured.reports.first else {
            var container = encoder.container(keyedBy: Key.self)
            return try container.encode(measured.reports, forKey: .reports)
        }
        try report.encode(to: encoder)
        try measured.detail?.encode(to: encoder)
    }
}
