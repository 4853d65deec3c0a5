/// Text of strangers as a terminal may show it: nothing in it moves a cursor, changes a colour or
/// turns what stands beside it around.
package enum SafeText {
    /// Marks that may stand on one character; more would paint over the lines around it.
    private static let marksMax = 3

    /// A text as one line; breaks become spaces, and what cannot be shown its number.
    package static func line(_ text: String) -> String {
        var result = ""
        var marks = 0
        for scalar in text.unicodeScalars {
            switch shown(scalar) {
            case .itself:
                marks = 0
                result.unicodeScalars.append(scalar)
            case .mark:
                marks += 1
                if marks <= marksMax { result.unicodeScalars.append(scalar) }
            case .space:
                marks = 0
                result.append(" ")
            case .number:
                marks = 0
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return result
    }

    /// A text in lines of so many cells at most, broken at spaces where there are some.
    package static func lines(_ text: String, cells width: Int) -> [String] {
        let most = max(1, width)
        let parts = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        return parts.flatMap { wrapped(line(String($0)), most) }
    }

    /// The cells that a text of `line` takes.
    package static func cells(of text: String) -> Int {
        text.reduce(0) { $0 + cells(of: $1) }
    }

    /// The beginning of a text of `line` that fits; where something is missing it ends with `…`.
    package static func fitted(_ text: String, cells most: Int) -> String {
        guard cells(of: text) > most else { return text }
        guard most > 0 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let count = cells(of: character)
            guard used + count <= most - 1 else { break }
            result.append(character)
            used += count
        }
        return result + "…"
    }

    // MARK: Characters

    private enum Appearance { case itself, mark, space, number }

    private static func shown(_ scalar: Unicode.Scalar) -> Appearance {
        // Joiners and selectors bind and colour the parts of one emoji.
        if scalar.value == 0x200D || scalar.value == 0xFE0F { return .mark }
        switch scalar.properties.generalCategory {
        case .control:
            return scalar == "\n" || scalar == "\t" || scalar == "\r" ? .space : .number
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: return .space
        case .format, .surrogate, .unassigned, .privateUse: return .number
        case .nonspacingMark, .enclosingMark: return .mark
        default: return .itself
        }
    }

    /// The cells of one character as a person sees it.
    private static func cells(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        let isWide = scalars.contains { scalar in
            scalar.value == 0xFE0F || scalar.properties.isEmojiPresentation
                || wide.contains { $0.contains(scalar.value) }
        }
        if isWide { return 2 }
        // Marks without a character to stand on take a cell of their own.
        return 1
    }

    /// Blocks whose characters take two cells: East Asian scripts, their punctuation and full-width
    /// forms, and pictures.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F1E6...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]

    // MARK: Breaking lines

    private static func wrapped(_ text: String, _ most: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let count = cells(of: String(word))
            let gap = current.isEmpty ? 0 : 1
            if used + gap + count <= most {
                current += (gap == 1 ? " " : "") + word
                used += gap + count
                continue
            }
            if !current.isEmpty { lines.append(current) }
            current = ""
            used = 0
            // A word that is longer than a line is cut where the line ends.
            for character in word {
                let cell = cells(of: character)
                if used + cell > most, !current.isEmpty {
                    lines.append(current)
                    current = ""
                    used = 0
                }
                current.append(character)
                used += cell
            }
        }
        return lines + [current]
    }
}
