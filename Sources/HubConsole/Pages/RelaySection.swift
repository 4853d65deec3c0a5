import HubModel
import HubVocabulary

/// The relays of a hub to push services: how far each has come, and whether its credential works.
enum RelaySection {
    /// Writes one row for each relay; nothing for a hub without one.
    static func write(_ relays: [RelayReport], to main: inout HTMLOutput) {
        guard !relays.isEmpty else { return }
        main.section("Relays to push services") { section in
            section.table(
                "Relays to push services",
                ["Service", "State", "Credential", "Oldest", "Behind", "To send", "A second"],
                numbers: 3
            ) { table in
                for relay in relays { row(relay, &table) }
            }
        }
    }

    private static func row(_ relay: RelayReport, _ table: inout HTMLOutput) {
        let condition = relay.condition
        table.row { row in
            row.cell(relay.platform.format)
            row.cell { cell in
                guard let cause = relay.cause else { return cell.state(.good, "sends") }
                cell.state(.bad, "rests: ")
                cell.stranger(cause)
            }
            row.cell { credential(condition, &$0) }
            row.cell { cell in
                guard let oldest = condition.oldest else { return cell.text("–") }
                cell.time(oldest)
            }
            row.cell(number: relay.behind)
            row.cell(number: condition.waiting + relay.deferred)
            row.cell(number: UInt64(max(0, condition.rate).rounded()))
        }
    }

    private static func credential(_ condition: RelayCondition, _ cell: inout HTMLOutput) {
        switch condition.credential {
        case .untried: cell.state(.waiting, "untried")
        case .works: cell.state(.good, "works")
        case .refused(let word):
            cell.state(.bad, "refused: ")
            cell.stranger(word)
        }
        guard let end = condition.certificateEnd else { return }
        cell.text(", its certificate ends ")
        cell.time(end)
    }
}
