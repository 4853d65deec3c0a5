import Foundation
import HubVocabulary
package import Logging

/// Writes each line of the log at once, as words for people or as a JSON object.
///
/// A line of either kind has no control characters: what a server was told never forges a line.
package struct ServerLogHandler: LogHandler {
    private let format: LogFormat
    private let level: LogLevel
    private let write: @Sendable (String) -> Void
    /// Values of every line of a logger.
    package var metadata: Logger.Metadata = [:]
    /// A level of this logger alone; nil follows the server's.
    private var ownLevel: Logger.Level?

    /// Writes lines of a level, in a format, to standard error unless `write` takes them.
    package init(
        _ format: LogFormat,
        level: LogLevel,
        write: @escaping @Sendable (String) -> Void = Self.standardError
    ) {
        self.format = format
        self.level = level
        self.write = write
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

    /// Writes one line, whole.
    package func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { _, own in own }
        let pairs = values.map { ($0.key, Self.shown("\($0.value)")) }.sorted { $0.0 < $1.0 }
        // Milliseconds since 1970 are positive in our time.
        let now = Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        let line = Line(
            time: TimeText.iso8601(now),
            level: event.level.rawValue,
            message: Self.shown(event.message.description),
            values: pairs
        )
        switch format {
        case .text: write(line.text)
        case .json: write(line.json)
        }
    }

    /// A text without characters that end a line or act on a terminal.
    private static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: shown.append(" ")
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Writes a line to standard error, whole.
    package static func standardError(_ line: String) {
        // A log that nobody takes, or a full disk behind it, must not end the server.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The parts of a line.
    private struct Line {
        let time: String
        let level: String
        let message: String
        let values: [(String, String)]

        var text: String {
            let pairs = values.map { key, value in
                value.contains(where: { " \"=".contains($0) }) || value.isEmpty
                    ? "\(key)=\"\(value.replacing("\"", with: "'"))\"" : "\(key)=\(value)"
            }
            return ([time, level, message] + pairs).joined(separator: " ")
        }

        var json: String {
            var members = Dictionary(values) { first, _ in first }
            (members["time"], members["level"], members["message"]) = (time, level, message)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Texts always encode.
            return String(decoding: (try? encoder.encode(members)) ?? Data(), as: UTF8.self)
        }
    }
}
