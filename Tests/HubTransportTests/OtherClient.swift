import Dispatch
import Foundation
import HubTestSupport
import Synchronization
import Testing

/// A client of another implementation in a process of its own, whose words a test waits on.
final class OtherClient: Sendable {
    private let process: Process
    private let input: Pipe
    private let output: Pipe
    private let words = Mutex("")
    private let isSilent = Mutex(false)
    private let arrived = DispatchSemaphore(value: 0)

    static func isInstalled(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: path)
    }

    init(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["50", path] + arguments
        (input, output) = try Spawning.alone {
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = output
            try process.run()
            return (input, output)
        }
        self.process = process
        // By a thread: a source of the dispatcher may outlive its file and end the process.
        output.fileHandleForReading.hear { [weak self] in self?.hear($0) }
    }

    /// Takes what it said; nothing is its end.
    private func hear(_ data: Data) {
        if data.isEmpty { isSilent.withLock { $0 = true } }
        words.withLock { $0 += String(decoding: data, as: UTF8.self) }
        arrived.signal()
    }

    /// All it said so far.
    var text: String { words.withLock { $0 } }

    func type(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Waits until it has said something so many times; it is ended when it takes a minute.
    func wait(for words: String, count: Int = 1) throws {
        while text.components(separatedBy: words).count <= count {
            try #require(arrived.wait(timeout: .now() + .seconds(60)) == .success, "\(text)")
            // Its last words may be read after its end.
            let isSilent = isSilent.withLock { $0 }
            try #require(!isSilent || text.contains(words), "\(text)")
        }
    }

    /// How it ended.
    func finish() throws -> Int32 {
        try? input.fileHandleForWriting.close()
        return try process.end()
    }
}
