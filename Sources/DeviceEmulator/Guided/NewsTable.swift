/// Who should have received what, and who did.
package struct NewsTable: Codable, Equatable, Sendable {
    /// One device in one round.
    package struct Row: Codable, Equatable, Sendable {
        /// The name of the device's user.
        package var name: String
        /// The platform of its template.
        package var platform: String
        /// The payloads that must arrive, in the order of the sends.
        package var expected: [String]
        /// The payloads that arrived, in order.
        package var received: [String]
        /// The categories of the expected payloads.
        package var categories: [String]

        /// Whether exactly the expected payloads arrived, in order.
        package var isExact: Bool { expected == received }
    }

    /// Six sends and what became of them.
    package struct Round: Codable, Equatable, Sendable {
        /// `first` or `second`.
        package var name: String
        /// One row for each device.
        package var rows: [Row]
    }

    /// Both rounds.
    package var rounds: [Round]

    /// Whether every device received exactly what it should.
    package var isExact: Bool { rounds.allSatisfy { $0.rows.allSatisfy(\.isExact) } }

    /// The table for people.
    var text: String {
        var lines: [String] = []
        for round in rounds {
            lines.append("\(round.name) round")
            lines.append(
                Self.line("device", "platform", "expected", "received", "categories", "")
            )
            for row in round.rows {
                lines.append(
                    Self.line(
                        row.name,
                        row.platform,
                        "\(row.expected.count)",
                        "\(row.received.count)",
                        row.categories.isEmpty ? "-" : row.categories.joined(separator: ", "),
                        row.isExact ? "ok" : "WRONG"
                    )
                )
                lines += Self.differences(row)
            }
            lines.append("")
        }
        lines += formats
        return lines.joined(separator: "\n")
    }

    /// The payload of one send to `World` on each platform that received it.
    private var formats: [String] {
        guard let round = rounds.last else { return [] }
        var seen: [String] = []
        var lines: [String] = []
        for row in round.rows where row.categories.contains("World") {
            guard let payload = row.received.first, !seen.contains(row.platform) else { continue }
            seen.append(row.platform)
            let name = row.platform + String(repeating: " ", count: max(1, 8 - row.platform.count))
            lines.append("  \(name)\(payload)")
        }
        return lines.isEmpty
            ? [] : ["one send to World, as each platform received it"] + lines + [""]
    }

    private static func differences(_ row: Row) -> [String] {
        guard !row.isExact else { return [] }
        let missing = row.expected.filter { !row.received.contains($0) }
        let extra = row.received.filter { !row.expected.contains($0) }
        return missing.map { "    missing: \($0)" } + extra.map { "    not expected: \($0)" }
            + (missing.isEmpty && extra.isEmpty ? ["    wrong order or number"] : [])
    }

    private static func line(_ columns: String...) -> String {
        let widths = [10, 10, 10, 10, 30, 0]
        var line = ""
        for (column, width) in zip(columns, widths) {
            line += column + String(repeating: " ", count: max(1, width - column.count))
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
