import Foundation

/// The parts of a line of the log.
///
/// It has no control characters: what a server was told never forges a line.
struct LogLine: Sendable {
    private let time: String
    private let level: String
    private let message: String
    private let values: [(String, String)]

    /// Takes values in the order in which they are shown.
    init(time: String, level: String, message: String, values: [(String, String)]) {
        self.time = time
        self.level = level
        self.message = Self.shown(message)
        self.values = values.map { ($0, Self.shown($1)) }
    }

    /// The line without its end.
    func spelled(_ format: LogFormat) -> String {
        switch format {
        case .text:
            let pairs = values.map { key, value in
                value.contains(where: { " \"=".contains($0) }) || value.isEmpty
                    ? "\(key)=\"\(value.replacing("\"", with: "'"))\"" : "\(key)=\(value)"
            }
            return ([time, level, message] + pairs).joined(separator: " ")
        case .json:
            var members = Dictionary(values) { first, _ in first }
            (members["time"], members["level"], members["message"]) = (time, level, message)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Texts always encode.
            return String(decoding: (try? encoder.encode(members)) ?? Data(), as: UTF8.self)
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
}
