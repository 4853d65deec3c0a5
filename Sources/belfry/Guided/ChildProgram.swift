import Foundation
import Synchronization

/// `belfry` in a process of its own, whose lines are read as they come.
///
/// It ends with this process even when that is killed: it watches the pipe that is its standard
/// input.
final class ChildProgram: Sendable {
    private struct State {
        var lines: [String] = []
        var isOver = false
    }

    private let process: Process
    private let input: Pipe
    private let state = Mutex(State())

    /// Starts it with arguments.
    /// - Throws: `Failure` when it cannot be started.
    init(_ arguments: [String]) throws {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        self.process = process
        self.input = input
        do {
            try process.run()
        } catch {
            throw Failure("a process cannot be started: \(error.localizedDescription)")
        }
        let handle = output.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            var partial = Data()
            while true {
                let data = handle.availableData
                guard !data.isEmpty else { break }
                partial.append(data)
                while let newline = partial.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: partial[..<newline], as: UTF8.self)
                    partial = Data(partial[(newline + 1)...])
                    self?.state.withLock { $0.lines.append(line) }
                }
            }
            self?.state.withLock { $0.isOver = true }
        }
    }

    /// Its process id.
    var pid: Int32 { process.processIdentifier }

    /// All lines so far.
    var lines: [String] { state.withLock { $0.lines } }

    /// Writes a line to its standard input; one that has ended gets nothing.
    func write(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits until its lines satisfy a condition; false when it ended or the time ran out first.
    func wait(_ patience: Duration, until isReached: ([String]) -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + patience
        while true {
            let (lines, isOver) = state.withLock { ($0.lines, $0.isOver) }
            if isReached(lines) { return true }
            guard !isOver, ContinuousClock.now < deadline,
                (try? await Task.sleep(for: .milliseconds(5))) != nil
            else { return false }
        }
    }

    /// Ends its standard input and waits for its end; the exit code.
    @discardableResult
    func finish() -> Int32 {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// An app backend in a process of its own, with a folder that goes with it.
final class ChildBackend: Sendable {
    /// Where its database lies.
    let folder: String
    private let hubData: String
    private let root: String
    private let program: ChildProgram

    /// Starts `belfry backend` beside a hub and waits until it listens.
    init(hubData: String, patience: Duration) async throws {
        self.hubData = hubData
        root =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-backend-\(UUID().uuidString)").path
        folder = root + "/app"
        program = try ChildProgram([
            "backend", "--data", hubData, "--backend-data", folder, "--port", "0",
            "--show-requests", "--until-stdin-closes",
        ])
        guard await program.wait(patience, until: { !$0.isEmpty }) else {
            stop()
            throw Failure("the backend did not start")
        }
    }

    /// Its process id.
    var pid: Int32 { program.pid }

    /// The requests that it has made to the hub.
    var requests: [RequestLine] {
        program.lines.dropFirst().compactMap { line in
            try? JSONDecoder().decode(RequestLine.self, from: Data(line.utf8))
        }
    }

    /// Adds a user with `belfry backend user add`.
    func add(_ name: String, password: String) throws {
        let command = try ChildProgram([
            "backend", "user", "add", name, "--data", hubData, "--backend-data", folder,
        ])
        command.write(password)
        guard command.finish() == 0 else { throw Failure("the user \(name) cannot be added") }
    }

    /// Ends it in order and removes its folder.
    func stop() {
        program.finish()
        try? FileManager.default.removeItem(atPath: root)
    }
}
