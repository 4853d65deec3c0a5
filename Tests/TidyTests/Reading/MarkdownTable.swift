/// One row of a table in a document.
struct TableRow: Equatable {
    let line: Int
    /// The cells without surrounding spaces.
    let cells: [String]

    /// What stands between back quotes in a cell, one after the other.
    func codes(_ index: Int) -> [String] {
        guard index < cells.count else { return [] }
        let parts = cells[index].split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
}

/// The tables of a Markdown document.
enum MarkdownTable {
    /// The rows below the header row that begins with these cells, without header and rule.
    static func rows(of text: String, header: [String]) -> [TableRow] {
        var rows: [TableRow] = []
        var isInside = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard line.hasPrefix("|") else {
                isInside = false
                continue
            }
            let cells = cells(of: line)
            if Array(cells.prefix(header.count)) == header {
                isInside = true
            } else if isInside, !(cells.first ?? "").hasPrefix("---") {
                rows.append(TableRow(line: index + 1, cells: cells))
            }
        }
        return rows
    }

    /// Cuts at `|`, except at `\|` and inside back quotes.
    private static func cells(of line: Substring) -> [String] {
        var cells: [String] = []
        var cell = ""
        var isCode = false
        var isEscaped = false
        for character in line.dropFirst() {
            if character == "|", !isEscaped, !isCode {
                cells.append(trimmed(cell))
                cell = ""
            } else if character == "\\", !isEscaped {
                isEscaped = true
                continue
            } else {
                if character == "`" { isCode.toggle() }
                cell.append(character)
            }
            isEscaped = false
        }
        return cells
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
