/// A whole screen.
package struct ScreenFrame: Equatable, Sendable {
    /// Its lines from the top; never more than the screen has, nor wider.
    package var lines: [[ScreenSpan]]
    /// Where the cursor stands, from 0; nil hides it.
    package var cursor: (row: Int, column: Int)?

    package static func == (left: ScreenFrame, right: ScreenFrame) -> Bool {
        left.lines == right.lines && left.cursor?.row == right.cursor?.row
            && left.cursor?.column == right.cursor?.column
    }

    /// The lines as text alone.
    package var text: [String] { lines.map { $0.map(\.text).joined() } }

    /// Returns the text that makes a terminal show the frame, whatever it shows now.
    ///
    /// - Parameter hasColours: whether colours are wanted; strong and inverse text are none.
    /// - Returns: text and control sequences of its own making only.
    package func terminalText(hasColours: Bool) -> String {
        var result = "\u{1B}[?25l\u{1B}[H"
        for (row, line) in lines.enumerated() {
            if row > 0 { result += "\r\n" }
            for span in line {
                let codes = Self.codes(of: span.look, hasColours)
                result += codes.isEmpty ? span.text : "\u{1B}[\(codes)m\(span.text)\u{1B}[0m"
            }
            result += "\u{1B}[K"
        }
        result += "\u{1B}[J"
        if let cursor { result += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        return result
    }

    private static func codes(of look: ScreenSpan.Look, _ hasColours: Bool) -> String {
        switch look {
        case .plain: ""
        case .strong: "1"
        case .faint: "2"
        case .bar: "7"
        case .good: hasColours ? "32" : ""
        case .bad: hasColours ? "31" : "1"
        }
    }

    /// The text for a terminal before the first frame: another screen, no wrapping, marked pastes.
    package static let opening = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J"
    /// The text for it after the last frame, which undoes that.
    package static let closing = "\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"
}
