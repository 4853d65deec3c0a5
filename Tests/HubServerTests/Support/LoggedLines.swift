import Foundation
import Logging
import Synchronization

@testable import HubServer

/// A logger whose lines a test reads.
final class LoggedLines: Sendable {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private let lines = Lines()
    private let writer: LogWriter
    let level: LogLevel
    let logger: Logger

    init(_ format: LogFormat = .json, _ level: Logger.Level = .info) {
        let writer = LogWriter(format) { [lines] line in lines.all.withLock { $0.append(line) } }
        let present = LogLevel(level)
        self.writer = writer
        self.level = present
        logger = Logger(label: "test") { _ in ServerLogHandler(writer, level: present) }
    }

    /// The lines as they were written.
    var text: [String] {
        writer.flush()
        return lines.all.withLock { $0 }
    }

    /// The members of each line of a message.
    func members(_ message: String) throws -> [[String: String]] {
        try text.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
            .filter { $0["message"] == message }
    }
}
