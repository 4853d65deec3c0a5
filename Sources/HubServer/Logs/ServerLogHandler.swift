import Foundation
import HubVocabulary
package import Logging

/// Hands each line of the log to its writer, if the server's level of the time lets it through.
package struct ServerLogHandler: LogHandler {
    private let writer: LogWriter
    private let level: LogLevel
    /// Values of every line of a logger.
    package var metadata: Logger.Metadata = [:]
    /// A level of this logger alone; nil follows the server's.
    private var ownLevel: Logger.Level?

    /// Hands lines of a level to a writer.
    package init(_ writer: LogWriter, level: LogLevel) {
        self.writer = writer
        self.level = level
    }

    /// The least severe level that is logged; setting it makes it this logger's own.
    package var logLevel: Logger.Level {
        get { max(ownLevel ?? .trace, level.present) }
        set { ownLevel = newValue }
    }

    /// A value of every line of a logger.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Hands over one line.
    package func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { _, own in own }
        let line = LogLine(
            time: Self.now,
            level: event.level.rawValue,
            message: event.message.description,
            values: values.map { ($0.key, "\($0.value)") }.sorted { $0.0 < $1.0 }
        )
        writer.add(line, isSevere: event.level >= .warning)
    }

    /// The present time as lines have it.
    static var now: String {
        // Milliseconds since 1970 are positive in our time.
        let now = Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        return TimeText.iso8601(now)
    }
}
