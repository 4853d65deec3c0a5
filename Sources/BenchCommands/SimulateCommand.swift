package import ArgumentParser
import CommandTerminal
import Foundation
import HubSimulator

/// `belfry simulate`.
package struct SimulateCommand: AsyncParsableCommand {
    /// Its words.
    package static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Runs the hub's core with simulated nodes, devices, network, disk and clocks.",
        usage: "belfry simulate [<options>]",
        discussion: """
            A seed decides everything: the same one gives the same run again. A simple \
            model of the rules judges all that the hub says, stores and sends. Exits 1, with the \
            seed, when a rule was broken.

            Examples:
              belfry simulate --seeds 500
              belfry simulate --seed 4711 --trace
              belfry simulate --seed 1 --seeds 10000 --steps 5000 --json
            """
    )

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    @Option(help: "How many seeds, one after another.")
    var seeds = 1

    @Option(help: "Steps of each seed before the faults end.")
    var steps = 1_000

    @Option(help: "Nodes and a database: by-seed (every third), none or several.")
    var nodes = NodeChoice.bySeed

    @Flag(help: "Prints what happens, line by line; for one seed.")
    var trace = false

    @Flag(help: "Prints the result as JSON.")
    var json = false

    /// The defaults.
    package init() {}

    /// Refuses numbers that mean nothing, and choices that contradict each other.
    package func validate() throws {
        guard (1...1_000_000_000).contains(seeds) else {
            throw ValidationError("--seeds must be from 1 to 1000000000.")
        }
        guard (1...10_000_000).contains(steps) else {
            throw ValidationError("--steps must be from 1 to 10000000.")
        }
        guard !trace || seeds == 1 else {
            throw ValidationError("--trace is for one seed.")
        }
        guard !trace || !json else { throw ValidationError("Give --trace or --json.") }
    }

    /// Plays each seed, and tells what became of it.
    package func run() async throws {
        var campaign = Campaign()
        let notes = SparseNotes()
        for index in 0..<UInt64(seeds) {
            let simulation = Simulation(seed: seed &+ index, steps: steps, nodes: nodes)
            if trace { simulation.onEvent { Terminal.line($0) } }
            let outcome = simulation.run()
            campaign.add(outcome)
            for violation in outcome.violations {
                Terminal.note("seed \(outcome.seed): \(violation)")
            }
            if seeds == 1, !json {
                Terminal.line("trace \(String(outcome.traceHash, radix: 16))")
            }
            if index % 16 == 15 {
                let failed = campaign.failures.count
                notes.note("\(campaign.seeds) of \(seeds) seeds, \(failed) failed")
            }
        }
        if json {
            try Terminal.json(SimulationReport(campaign, first: seed))
        } else {
            show(campaign)
        }
        if !campaign.failures.isEmpty { throw ExitCode.failure }
    }

    private func show(_ campaign: Campaign) {
        Terminal.line(
            "\(campaign.seeds) seeds, \(campaign.steps) steps, \(Int(campaign.seconds)) simulated "
                + "seconds, \(campaign.records) notifications, \(campaign.deliveries) deliveries"
        )
        for kind in FaultKind.allCases {
            Terminal.line("  \(kind.name): \(campaign.faults[kind.rawValue])")
        }
        for (name, count) in campaign.manySends.named { Terminal.line("  \(name): \(count)") }
        for failure in campaign.failures {
            Terminal.line(
                "replay: belfry simulate --seed \(failure.seed) --steps \(steps) --nodes "
                    + "\(nodes.rawValue) --trace"
            )
        }
    }
}

extension NodeChoice: ExpressibleByArgument {}

/// A campaign for programs.
private struct SimulationReport: Encodable {
    struct Failure: Encodable {
        var seed: UInt64
        var violations: [String]
    }

    var firstSeed: UInt64
    var seeds: Int
    var steps: Int
    var simulatedSeconds: Int
    var notifications: Int
    var deliveries: Int
    var faults: [String: Int]
    var manySends: [String: Int]
    var failures: [Failure]

    init(_ campaign: Campaign, first: UInt64) {
        firstSeed = first
        seeds = campaign.seeds
        steps = campaign.steps
        simulatedSeconds = Int(campaign.seconds)
        notifications = campaign.records
        deliveries = campaign.deliveries
        faults = [:]
        for kind in FaultKind.allCases { faults[kind.name] = campaign.faults[kind.rawValue] }
        manySends = Dictionary(
            campaign.manySends.named.map { ($0.name, $0.count) },
            uniquingKeysWith: { first, _ in first }
        )
        failures = campaign.failures.map { Failure(seed: $0.seed, violations: $0.violations) }
    }
}
