import Foundation
import HubVocabulary
import Logging
package import Metrics
import Synchronization

/// Writes lines of the log on a queue of its own: a reader that takes none holds up no connection.
///
/// Lines that wait are bounded. Those that find no room are counted, in the log too.
package final class LogWriter: Sendable {
    private struct State {
        var lines: [LogLine] = []
        var dropped = 0
        var isWriting = false
    }

    private let format: LogFormat
    private let write: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "log")
    private let state = Mutex(State())
    private let droppedLines: Counter

    /// Lines that wait at most.
    static let linesMax = 4_096
    /// More of them for warnings and errors, which strangers' requests must not push out.
    static let severeLinesMax = 1_024
    /// Seconds that an end waits for a reader that takes no lines.
    private static let flushSeconds = 3

    /// Writes to standard error unless `write` takes the lines.
    package init(
        _ format: LogFormat,
        metrics: any MetricsFactory = MetricsSystem.factory,
        write: @escaping @Sendable (String) -> Void = LogWriter.standardError
    ) {
        self.format = format
        self.write = write
        droppedLines = Counter(
            label: "belfry_log_lines_dropped_total",
            dimensions: [],
            factory: metrics
        )
    }

    /// Takes a line, or counts it when too many wait; never blocks.
    func add(_ line: LogLine, isSevere: Bool) {
        let begins = state.withLock { state in
            let room = Self.linesMax + (isSevere ? Self.severeLinesMax : 0)
            guard state.lines.count < room else {
                state.dropped += 1
                return false
            }
            state.lines.append(line)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { self.writeAll() } }
    }

    /// Waits a moment until the lines of before are written.
    package func flush() {
        let written = DispatchSemaphore(value: 0)
        queue.async { written.signal() }
        _ = written.wait(timeout: .now() + .seconds(Self.flushSeconds))
    }

    private func writeAll() {
        while let (lines, dropped) = take() {
            for line in lines { write(line.spelled(format)) }
            guard dropped > 0 else { continue }
            droppedLines.increment(by: dropped)
            let told = LogLine(
                time: ServerLogHandler.now,
                level: Logger.Level.warning.rawValue,
                message: "lines of the log were left out: its reader is too slow",
                values: [("lines", "\(dropped)")]
            )
            write(told.spelled(format))
        }
    }

    /// The lines that wait; nil for none, and then the next one begins to write again.
    private func take() -> (lines: [LogLine], dropped: Int)? {
        state.withLock { state in
            state.isWriting = !state.lines.isEmpty
            guard state.isWriting else { return nil }
            defer { (state.lines, state.dropped) = ([], 0) }
            return (state.lines, state.dropped)
        }
    }

    /// Writes a line to standard error, whole.
    package static func standardError(_ line: String) {
        // A log without a reader, or a full disk behind it, must not end the server.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
