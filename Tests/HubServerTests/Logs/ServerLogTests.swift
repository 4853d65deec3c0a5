import HubServer
import Logging
import Synchronization
import Testing

@Suite("Lines of the log")
struct ServerLogTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private func logger(_ format: LogFormat, _ level: LogLevel, _ lines: Lines) -> Logger {
        Logger(label: "t") { _ in
            ServerLogHandler(format, level: level) { line in
                lines.all.withLock { $0.append(String(line.split(separator: "T").last ?? "")) }
            }
        }
    }

    @Test("are words, or an object, in one line whatever is told")
    func formats() throws {
        let lines = Lines()
        for format in LogFormat.allCases {
            logger(format, LogLevel(.info), lines).info(
                "a\nline",
                metadata: ["hub": "news", "reason": "it is \"so\"\r\n\u{1B}[31m"]
            )
        }
        let told = lines.all.withLock { $0 }
        #expect(told[0].hasSuffix(#"Z info a line hub=news reason="it is 'so'   [31m""#))
        #expect(!told[1].contains("\n"))
        let json = #"{"hub":"news","level":"info","message":"a line","#
        #expect(told[1].hasSuffix("Z\"}") || told[1].hasPrefix(json), "\(told[1])")
    }

    @Test("follow the server's level while it runs")
    func levels() {
        let (lines, level) = (Lines(), LogLevel(.info))
        var quiet = logger(.text, level, lines)
        let loud = quiet
        quiet.logLevel = .warning
        for logger in [quiet, loud] { logger.debug("1") }
        level.present = .debug
        for logger in [quiet, loud] { logger.debug("2") }
        #expect(lines.all.withLock { $0.count } == 1)
    }
}
