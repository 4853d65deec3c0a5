import Foundation
import HubTestSupport
import Synchronization

/// A child process with its output by lines; it is killed with its last holder.
final class Program: Sendable {
    /// Lines of standard output.
    let output = EventLog<String>()
    /// Lines of standard error.
    let errors = EventLog<String>()
    private let process = Process()
    private let ends = EventLog<Int32>()
    private let input: Pipe

    /// What a `make` that runs the tests tells one within them.
    private static let ofMake: Set<String> = [
        "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BELFRY", "TESTED",
    ]

    /// Starts a program of this machine with `arguments`.
    ///
    /// Its standard input stays open and empty as long as this lives.
    init(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws {
        var all = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("BELFRY_") && !Self.ofMake.contains(name)
        }
        all["PYTHONDONTWRITEBYTECODE"] = "1"
        all["SWIFT_BACKTRACE"] = "enable=no"
        // One of a release's cost is made in AccessTests.
        all["HUB_CHEAP_PASSWORDS"] = "1"
        all.merge(environment) { _, new in new }
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = all
        let ends = ends
        let (process, output, errors) = (process, output, errors)
        input = try Spawning.alone {
            let input = Pipe()
            Self.prepare(process, input, ends)
            process.standardOutput = Self.lines(into: output)
            process.standardError = Self.lines(into: errors)
            try process.run()
            return input
        }
    }

    /// Notes how it ends, and closes what it reads from then.
    private static func prepare(_ process: Process, _ input: Pipe, _ ends: EventLog<Int32>) {
        process.standardInput = input
        process.terminationHandler = { process in
            try? input.fileHandleForWriting.close()
            let isExit = process.terminationReason == .exit
            ends.append(isExit ? process.terminationStatus : -process.terminationStatus)
            ends.finish()
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Starts `belfry`.
    static func belfry(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> Program {
        try Program(try belfryPath, arguments, environment: environment)
    }

    /// Where `belfry` lies: `HUB_TESTED_PROGRAM` names a build that the tests did not make.
    static var belfryPath: String {
        get throws {
            if let path = ProcessInfo.processInfo.environment["HUB_TESTED_PROGRAM"] {
                return URL(fileURLWithPath: path).path
            }
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: tests).deletingLastPathComponent()
                .appendingPathComponent("belfry").path
        }
    }

    /// Starts a program that is found in the search path.
    static func named(_ name: String, _ arguments: [String]) throws -> Program {
        try Program("/usr/bin/env", [name] + arguments)
    }

    /// Whether it has ended.
    var hasEnded: Bool { !ends.events.isEmpty }

    /// Its process id.
    var pid: Int32 { process.processIdentifier }

    /// Sends it a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Writes to its standard input; what a program that has ended is told is lost.
    func write(_ text: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Ends its standard input.
    func closeInput() { try? input.fileHandleForWriting.close() }

    /// Waits for its end and all its output: the exit code, or the negative number of a signal.
    func exitCode(seconds: Int = 60) async throws -> Int32 {
        let codes = try await ends.wait(for: "an exit code", seconds: seconds) { !$0.isEmpty }
        try await output.end()
        try await errors.end()
        return codes[0]
    }

    /// A pipe whose lines go into a log, read by a thread of its own.
    private static func lines(into log: EventLog<String>) -> Pipe {
        let pipe = Pipe()
        let handle = pipe.fileHandleForReading
        let partial = Mutex(Data())
        handle.hear { data in
            partial.withLock { partial in
                partial.append(data)
                while let newline = partial.firstIndex(of: UInt8(ascii: "\n")) {
                    log.append(String(decoding: partial[..<newline], as: UTF8.self))
                    partial = Data(partial[(newline + 1)...])
                }
                guard data.isEmpty else { return }
                if !partial.isEmpty { log.append(String(decoding: partial, as: UTF8.self)) }
            }
            guard data.isEmpty else { return }
            try? handle.close()
            log.finish()
        }
        return pipe
    }
}

/// Where this source tree lies.
enum SourceTree {
    /// The path of a file below the root of the package.
    static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(name).path
    }
}
