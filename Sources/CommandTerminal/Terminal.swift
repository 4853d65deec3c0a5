import Foundation

/// Standard error and colours.
package enum Terminal {
    /// Whether colours are wanted: a terminal, and NO_COLOR is not set to anything.
    package static var hasColours: Bool {
        let refusal = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        return isatty(STDOUT_FILENO) == 1 && refusal.isEmpty
    }

    /// Green where colours are wanted.
    package static func good(_ text: String) -> String { coloured(text, 32) }

    /// Yellow where colours are wanted.
    package static func doubtful(_ text: String) -> String { coloured(text, 33) }

    /// Red where colours are wanted.
    package static func bad(_ text: String) -> String { coloured(text, 31) }

    private static func coloured(_ text: String, _ colour: Int) -> String {
        hasColours ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }

    /// Whether a person reads standard output.
    package static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Begins the screen of a terminal anew.
    package static func clear() {
        // A terminal that has gone ends the command at its next line.
        try? FileHandle.standardOutput.write(contentsOf: Data("\u{1B}[H\u{1B}[J".utf8))
    }

    /// A line on standard error.
    package static func note(_ text: String) { say(text + "\n") }

    /// A question on standard error, whose answer follows in the same line.
    package static func prompt(_ text: String) { say(text) }

    /// Replaces the progress line of a terminal; silent elsewhere.
    package static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        say("\r\u{1B}[K" + text)
    }

    /// A value on standard output, as JSON for people and programs.
    package static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// A value on standard output as JSON in one line, at once.
    package static func line(json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only numbers that are not finite have no JSON, and no line has such.
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("a line holds only what JSON can hold")
        }
        line(String(decoding: data, as: UTF8.self))
    }

    /// A line on standard output, at once; ends the process when its reader has gone.
    package static func line(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
        } catch {
            exit(1)
        }
    }

    private static func say(_ text: String) {
        // Without a reader there is none to tell, and the work goes on.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
