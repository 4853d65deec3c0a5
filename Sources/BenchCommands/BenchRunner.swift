import CommandTerminal
import DeviceEmulator
import Foundation
import HubBench
import HubClient

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
            return try await restart()
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
        environment = .here(hub)
    }

    /// Measures a scenario; with `data` at a running hub.
    func measure(
        _ scenario: some BenchScenario,
        data: String? = nil
    ) async throws -> BenchReport {
        var turns: [BenchTurn] = []
        for number in 1...output.turns {
            let prefix = "\(scenario.name), turn \(number) of \(output.turns): "
            turns.append(try await turn(scenario, data: data, prefix: prefix))
        }
        return report(scenario, turns)
    }

    /// Measures a scenario with one shard and with two, in turns, so that a machine whose speed
    /// drifts is fair to both; says how they compare unless JSON is wanted.
    func comparingShards(_ scenario: some BenchScenario) async throws -> [BenchReport] {
        var kinds = [(shards: 1, cpus: "0"), (shards: 2, cpus: "0,1")].map { kind in
            var choice = hub
            choice.shards = kind.shards
            choice.cpus = kind.cpus
            return (runner: BenchRunner(output: output, hub: choice), turns: [BenchTurn]())
        }
        for turn in 1...output.turns {
            for place in kinds.indices {
                let shards = kinds[place].runner.hub.shards
                let prefix = "\(shards) shards, turn \(turn) of \(output.turns): "
                kinds[place].turns.append(
                    try await kinds[place].runner.turn(scenario, prefix: prefix)
                )
            }
        }
        let reports = kinds.map { $0.runner.report(scenario, $0.turns) }
        if !output.json {
            let comparison = BenchComparison([reports[0]], [reports[1]], tolerance: 0.1)
            for line in comparison.lines { Terminal.line(line) }
        }
        return reports
    }

    private func report(_ scenario: some BenchScenario, _ turns: [BenchTurn]) -> BenchReport {
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
    private func turn(
        _ scenario: some BenchScenario,
        data: String? = nil,
        prefix: String
    ) async throws -> BenchTurn {
        let notes = notes
        let progress: BenchProgress = { notes.show(prefix + $0) }
        defer { notes.clear() }
        if let data {
            let file = try Failure.told { try ConnectionFile(dataFolder: data) }
            let running = RunningBenchHub(connection: file)
            return try await Self.turn(scenario, running, progress)
        }
        let child = try await hub.started()
        defer { child.stop() }
        return try await Self.turn(scenario, child, progress)
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
    func tell(_ reports: [BenchReport]) throws {
        if output.json {
            // One report is an object of its own; `bench compare` reads both forms.
            if reports.count == 1 {
                try Terminal.json(reports[0])
            } else {
                try Terminal.json(["reports": reports])
            }
        } else {
            for report in reports {
                for line in BenchText.lines(of: report) { Terminal.line(line) }
            }
        }
        if let path = output.report {
            do {
                try BenchPage(reports).html.write(
                    toFile: path,
                    atomically: true,
                    encoding: .utf8
                )
            } catch {
                throw Failure("the report cannot be written: \(error.localizedDescription)")
            }
        }
        let failed = reports.filter { !$0.isExact }.map(\.scenario)
        guard failed.isEmpty else {
            throw Failure(
                "deliveries were lost, duplicated or misrouted, or something else was wrong: "
                    + failed.joined(separator: ", ")
            )
        }
    }
}
