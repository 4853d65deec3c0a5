import Foundation
import HubMetrics
import HubTestSupport
import Logging
import Synchronization
import Testing

@testable import HubServer

@Suite("Lines of the log")
struct ServerLogTests {
    /// A value that would end the line, forge another one and colour a terminal.
    private static let hostile = "it is \"so\"\r\n\u{1B}[31m"

    @Test("are words, in one line whatever is told")
    func words() throws {
        let lines = LoggedLines(.text)
        lines.logger.info("a\nline", metadata: ["hub": "news", "reason": "\(Self.hostile)"])
        let line = try #require(lines.text.first)
        #expect(line.hasSuffix(#"Z info a line hub=news reason="it is 'so'   [31m""#), "\(line)")
        #expect(!line.contains("\n"))
    }

    @Test("are an object, with each value in a member of its own")
    func objects() throws {
        let lines = LoggedLines(.json)
        lines.logger.info("a\nline", metadata: ["hub": "news", "reason": "\(Self.hostile)"])
        #expect(lines.text.count == 1 && !lines.text[0].contains("\n"))
        var members = try #require(lines.members("a line").first)
        let time = members.removeValue(forKey: "time") ?? ""
        #expect(time.count == 24 && time.hasPrefix("2") && time.hasSuffix("Z"), "\(time)")
        #expect(
            members == [
                "level": "info", "message": "a line", "hub": "news",
                "reason": "it is \"so\"   [31m",
            ]
        )
    }

    @Test("follow the server's level while it runs")
    func levels() {
        let lines = LoggedLines(.text)
        var quiet = lines.logger
        quiet.logLevel = .warning
        for logger in [quiet, lines.logger] { logger.debug("1") }
        lines.level.present = .debug
        for logger in [quiet, lines.logger] { logger.debug("2") }
        #expect(lines.text.count == 1)
    }

    @Test("are left out and counted when their reader is too slow; warnings have room of their own")
    func slowReader() throws {
        let registry = MetricRegistry()
        let written = Mutex<[String]>([])
        let (isReading, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let writer = LogWriter(.text, metrics: registry) { line in
            if line.hasSuffix("first") {
                isReading.signal()
                _ = goesOn.wait(timeout: .now() + .seconds(60))
            }
            written.withLock { $0.append(line) }
        }
        func add(_ text: String, isSevere: Bool = false) {
            let line = LogLine(time: "t", level: "info", message: text, values: [])
            writer.add(line, isSevere: isSevere)
        }
        add("first")
        try isReading.waitInTime("the first line")
        for number in 0..<LogWriter.linesMax + 2 { add("\(number)") }
        for number in 0..<LogWriter.severeLinesMax + 1 { add("s\(number)", isSevere: true) }
        goesOn.signal()
        writer.flush()
        let lines = written.withLock { $0 }
        #expect(lines.count == 1 + LogWriter.linesMax + LogWriter.severeLinesMax + 1)
        #expect(lines[LogWriter.linesMax] == "t info \(LogWriter.linesMax - 1)")
        #expect(lines.last?.hasSuffix("its reader is too slow lines=3") == true)
        #expect(registry.text().contains("belfry_log_lines_dropped_total 3\n"))
        add("later")
        writer.flush()
        #expect(written.withLock { $0.last } == "t info later")
    }
}
