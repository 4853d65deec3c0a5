import PhoneScreen

/// Lines of columns for people: numbers to the right, everything else to the left.
package struct TextTable {
    private var rows: [[String]]

    /// A table with these heads.
    package init(_ heads: String...) { rows = [heads] }

    /// Adds a line with a cell for each head.
    package mutating func add(_ cells: String...) { rows.append(cells.map { SafeText.line($0) }) }

    /// The heads and every line.
    package var lines: [String] {
        let columns = rows[0].indices.map { column in rows.map { $0[column] } }
        let widths = columns.map { $0.map(\.count).max() ?? 0 }
        let areNumbers = columns.map { cells in
            cells.dropFirst().allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
        }
        return rows.map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return areNumbers[column] ? space + row[column] : row[column] + space
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Prints it; without lines it says so.
    package func show(_ nothing: String) {
        guard rows.count > 1 else { return Terminal.line(nothing) }
        for line in lines { Terminal.line(line) }
    }
}
