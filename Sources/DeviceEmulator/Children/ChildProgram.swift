import Foundation

/// `belfry` in a process of its own, whose lines are read as they come.
///
/// It ends with this process even when that is killed: it watches the pipe that is its standard
/// input.
package final class ChildProgram: Sendable {
    private let process = Process()
    private let input: Pipe
    private let output = LineLog()

    /// Starts it with arguments.
    ///
    /// - Parameters:
    ///   - launcher: where it lies.
    ///   - arguments: the subcommand and its options.
    ///   - cpus: CPUs that it is pinned to, as `taskset` takes them.
    ///   - environment: added to what it inherits.
    /// - Throws: `.notStarted`.
    package init(
        _ launcher: Launcher,
        _ arguments: [String],
        cpus: String? = nil,
        environment: [String: String] = [:]
    ) throws(ChildFault) {
        if let cpus {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
            process.arguments = ["-c", cpus, launcher.path] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: launcher.path)
            process.arguments = arguments
        }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var pipes: (input: Pipe, output: Pipe)?
        do {
            try launcher.begin { [process] in
                let made = (input: Pipe(), output: Pipe())
                process.standardInput = made.input
                process.standardOutput = made.output
                try process.run()
                pipes = made
            }
        } catch {
            throw .notStarted(reason: error.localizedDescription)
        }
        guard let pipes else { throw .notStarted(reason: "it was not begun") }
        input = pipes.input
        Self.read(pipes.output.fileHandleForReading, into: output)
    }

    /// Bytes of a line; a longer one is taken in pieces.
    static let lineBytesMax = 65_536

    /// Reads lines on a thread of its own until the pipe ends.
    private static func read(_ handle: FileHandle, into log: LineLog) {
        Thread.detachNewThread {
            var partial = Data()
            while true {
                let data = handle.availableData
                guard !data.isEmpty else { break }
                partial.append(data)
                while let newline = partial.firstIndex(of: UInt8(ascii: "\n")) {
                    log.append(String(decoding: partial[..<newline], as: UTF8.self))
                    partial = Data(partial[(newline + 1)...])
                }
                if partial.count > lineBytesMax {
                    log.append(String(decoding: partial, as: UTF8.self))
                    partial = Data()
                }
            }
            log.finish()
        }
    }

    /// Its process id.
    var pid: Int32 { process.processIdentifier }

    /// All lines so far.
    package var lines: [String] { output.lines }

    /// Writes a line to its standard input.
    func write(_ line: String) {
        // A program that has ended gets nothing; those who wait for its answer see its end.
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits until its lines satisfy a condition; false when it ended or the time ran out first.
    package func wait(
        _ patience: Duration,
        until isReached: @escaping @Sendable ([String]) -> Bool
    ) async -> Bool {
        await output.wait(patience, until: isReached)
    }

    /// Ends its standard input and waits for its end.
    /// - Returns: the exit code.
    @discardableResult
    package func finish() -> Int32 {
        // One that is closed already has its end.
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ends it as a crash does.
    package func kill() {
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
