import Foundation

/// Standard error and colours.
enum Terminal {
    /// Whether colours are wanted: a terminal, and NO_COLOR is not set to anything.
    static var hasColours: Bool {
        let refusal = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        return isatty(STDOUT_FILENO) == 1 && refusal.isEmpty
    }

    /// Green where colours are wanted.
    static func good(_ text: String) -> String { hasColours ? "\u{1B}[32m\(text)\u{1B}[0m" : text }

    /// A line on standard error.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// A question on standard error, whose answer follows in the same line.
    static func prompt(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// Replaces the progress line of a terminal; silent elsewhere.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data(("\r\u{1B}[K" + text).utf8))
    }

    /// A value on standard output, as JSON for people and programs.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// A value on standard output as JSON in one line, at once.
    static func line(json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only numbers that are not finite have no JSON, and no line has such.
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("a line holds only what JSON can hold")
        }
        line(String(decoding: data, as: UTF8.self))
    }

    /// A line on standard output, at once.
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
