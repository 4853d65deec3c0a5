import HubHistory
import HubVocabulary

/// Numbers over time as a drawn line, with some of them as a table behind it; needs no script.
struct Chart {
    /// The drawing in its own units; styles give it its size.
    private static let (width, height) = (600, 120)
    /// Points of a line: more than that no page has pixels for.
    private static let pointsMax = 120
    private static let rowsMax = 12
    /// A limit is drawn when the highest value is at least this part of it.
    private static let limitReach = 4.0

    /// The name of the number.
    let title: String
    /// One for each step; nil where there was no reading.
    let values: [Double?]
    let first: Timestamp
    let stepSeconds: Int
    /// The value that must not be passed; nil when there is none.
    var limit: Double?
    /// How a value is written.
    let spell: @Sendable (Double) -> String
    /// The address of what happened between two times.
    let happened: @Sendable (_ from: Timestamp, _ until: Timestamp) -> String

    /// Writes the figure.
    func write(to output: inout HTMLOutput) {
        output.element("figure") { figure in
            figure.element("figcaption") {
                $0.element("b", text: title)
                $0.text(" \(sentence)")
            }
            guard let highest = values.compactMap(\.self).max() else { return }
            // A limit far above would leave no room for the line.
            let near = limit.flatMap { $0 <= highest * Self.limitReach ? $0 : nil }
            let most = max(highest, near ?? 0)
            let box = "0 0 \(Self.width) \(Self.height)"
            figure.element(
                "svg",
                [
                    "viewBox": box, "preserveAspectRatio": "none", "role": "img",
                    "aria-label": "\(title): \(sentence)",
                ]
            ) { svg in
                for line in lines(most) { svg.element("polyline", ["points": line], text: "") }
                if let near {
                    let y = Self.y(near, of: most)
                    svg.element(
                        "line",
                        [
                            "x1": "0", "x2": "\(Self.width)", "y1": "\(y)", "y2": "\(y)",
                            "stroke": "currentColor", "stroke-dasharray": "6 6",
                            "vector-effect": "non-scaling-stroke",
                        ],
                        text: ""
                    )
                }
            }
            figure.element("details") {
                $0.element("summary", text: "As a table")
                table(&$0)
            }
        }
    }

    /// The newest value and the highest.
    private var sentence: String {
        guard let most = values.compactMap(\.self).max() else { return "no reading yet" }
        let now = values.last.flatMap(\.self).map(spell) ?? "unknown"
        return "\(now) now, \(spell(most)) at most" + (limit.map { " of \(spell($0))" } ?? "")
    }

    private static func y(_ value: Double, of most: Double) -> Int {
        let share = most > 0 ? value / most : 0
        return height - 4 - Int(share * Double(height - 8))
    }

    /// Points of each part of the line; a hole in the readings is a hole in the line.
    private func lines(_ most: Double) -> [String] {
        let points = parts(atMost: Self.pointsMax).map(\.value)
        var lines: [String] = []
        var line: [String] = []
        for (place, point) in (points + [nil]).enumerated() {
            guard let point else {
                // A single reading is a short line.
                if line.count == 1 { line.append(line[0]) }
                if !line.isEmpty { lines.append(line.joined(separator: " ")) }
                line = []
                continue
            }
            let x = place * Self.width / max(points.count - 1, 1)
            line.append("\(x),\(Self.y(point, of: most))")
        }
        return lines
    }

    /// The steps of each of some equal parts.
    private func size(ofParts most: Int) -> Int { max(1, (values.count + most - 1) / most) }

    /// The highest value of each of some equal parts, with the part's beginning in steps.
    private func parts(atMost most: Int) -> [(start: Int, value: Double?)] {
        let size = size(ofParts: most)
        return stride(from: 0, to: values.count, by: size).map { start in
            let part = values[start..<min(start + size, values.count)]
            return (start, part.compactMap(\.self).max())
        }
    }

    private func table(_ output: inout HTMLOutput) {
        let seconds = UInt64(size(ofParts: Self.rowsMax) * stepSeconds)
        output.table(title, ["From", "At most"], numbers: 1) { table in
            for (start, value) in parts(atMost: Self.rowsMax) {
                guard let value else { continue }
                table.row { row in
                    row.cell { cell in
                        let from = first.adding(seconds: UInt64(start * stepSeconds))
                        let address = happened(from, from.adding(seconds: seconds))
                        cell.element("a", ["href": address]) { $0.time(from) }
                    }
                    row.element("td", ["class": "number"], text: spell(value))
                }
            }
        }
    }
}
