import HubModel
import HubVocabulary

/// How old a notification was when devices told of it: a line for each kind of word, and a table.
struct ReceiptFigure {
    private static let (width, height) = (600, 120)
    private static let kinds: [(kind: TelemetryKind, name: String, dashes: String)] = [
        (.acknowledged, "Acknowledged", ""), (.displayed, "Displayed", "8 6"),
        (.opened, "Opened", "2 6"),
    ]

    let curve: ReceiptCurve

    /// Writes it; nothing before the first word of a device.
    func write(to output: inout HTMLOutput) {
        guard curve.steps > 0 else { return }
        output.section("When devices told of it") { section in
            section.element("figure") { figure in
                figure.element("figcaption", text: sentence)
                let box = "0 0 \(Self.width) \(Self.height)"
                figure.element(
                    "svg",
                    [
                        "viewBox": box, "preserveAspectRatio": "none", "role": "img",
                        "aria-label": sentence,
                    ]
                ) { svg in
                    for kind in Self.kinds {
                        svg.element(
                            "polyline",
                            ["points": points(kind.kind), "stroke-dasharray": kind.dashes],
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
    }

    /// How long half and nearly all took to store it, and what the lines are.
    private var sentence: String {
        let sums = curve.sums(.acknowledged)
        let all = sums.last ?? 0
        let lines = "Line: acknowledged; dashes: displayed; dots: opened."
        guard all > 0 else { return lines }
        func within(_ share: Double) -> String {
            let step = sums.firstIndex { Double($0) >= share * Double(all) } ?? sums.count - 1
            return Self.age(step)
        }
        return "\(Spelled.count(all)) acknowledged, half of them within \(within(0.5)), "
            + "99 % within \(within(0.99)). \(lines)"
    }

    /// A line from nothing to the sum of each step, one step after the other.
    private func points(_ kind: TelemetryKind) -> String {
        let most = Self.kinds.compactMap { curve.sums($0.kind).last }.max() ?? 1
        let sums = [0] + curve.sums(kind).prefix(curve.steps)
        return sums.enumerated().map { step, sum in
            let x = step * Self.width / max(sums.count - 1, 1)
            let share = Double(sum) / Double(max(most, 1))
            return "\(x),\(Self.height - 4 - Int(share * Double(Self.height - 8)))"
        }.joined(separator: " ")
    }

    private func table(_ output: inout HTMLOutput) {
        let name = "Devices that told of it, by its age"
        output.table(name, ["Age up to"] + Self.kinds.map(\.name), numbers: 3) { table in
            for step in 0..<curve.steps {
                table.row { row in
                    row.cell(Self.age(step))
                    for kind in Self.kinds { row.cell(number: curve.sums(kind.kind)[step]) }
                }
            }
        }
    }

    /// The age up to which a step counts.
    private static func age(_ step: Int) -> String {
        let milliseconds = ReceiptCurve.ages[step]
        return milliseconds < 1_000
            ? "\(milliseconds) ms" : Spelled.duration(seconds: milliseconds / 1_000)
    }
}
