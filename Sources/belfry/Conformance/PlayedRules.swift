import ArgumentParser
import CommandTerminal
import Foundation
import HubConformance

/// Which rules are played, and how they are told.
struct PlayedRules: ParsableArguments {
    @Option(
        name: .customLong("only"),
        help:
            "A rule such as A-3, a scenario, or vector, template or error; may be given several times."
    )
    var only: [String] = []

    @Option(
        name: .customLong("protocol"),
        help: "The folder Protocol with its vectors; ./Protocol where it is there."
    )
    var protocolFolder: String?

    @Flag(help: "Plays scenarios that take longer than ten seconds, too.")
    var slow = false

    @Flag(help: "Lists what would be played, and plays nothing.")
    var list = false

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    private var folder: String? {
        if let protocolFolder { return protocolFolder }
        return FileManager.default.fileExists(atPath: "Protocol/vectors") ? "Protocol" : nil
    }

    /// The kit for a hub.
    var kit: HubConformance {
        var kit = HubConformance()
        kit.protocolFolder = folder
        kit.only = only
        kit.isPatient = slow
        return kit
    }

    /// The kit for a client.
    var clientKit: ClientConformance {
        var kit = ClientConformance()
        kit.protocolFolder = folder
        kit.only = only
        kit.isPatient = slow
        return kit
    }

    /// Prints what can be played.
    func showList() throws {
        try Failure.told {
            for (form, entries) in [
                ("--connect", try kit.list()), ("--listen", try clientKit.list()),
            ] {
                for entry in entries {
                    let labels = entry.rules.map { "[\($0)]" }.joined(separator: " ")
                    Terminal.line("\(form) \(entry.name) \(labels)")
                }
            }
        }
    }

    /// Tells a finding.
    func tell(_ finding: Finding) {
        if json {
            Terminal.line(json: finding)
        } else {
            for line in finding.lines { Terminal.line(line) }
        }
    }

    /// Plays against a hub, on a thread of its own.
    func play(_ hub: HubUnderTest) async throws -> [Finding] {
        let (kit, telling) = (kit, self)
        return try await Self.onThread { () throws(KitFault) in
            try kit.run(hub) { telling.tell($0) }
        }
    }

    /// Runs what blocks on a thread of its own.
    static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(KitFault) -> Value
    ) async throws -> Value {
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let result: Result<Value, KitFault>
                do throws(KitFault) {
                    result = .success(try body())
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(.setup(let reason)), .failure(.notPlayed(let reason)):
            throw Failure(reason)
        case .failure(.broken(let expected, let came)):
            throw Failure("expected \(expected), came \(came)")
        }
    }
}
