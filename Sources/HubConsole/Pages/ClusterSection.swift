import HubVocabulary

/// The nodes of the hubs' database: who leads, who waits, and whom PostgreSQL itself has.
enum ClusterSection {
    /// Writes what a node sees.
    static func write(_ report: ClusterReport, to main: inout HTMLOutput) {
        main.section("Nodes") { section in
            section.element("p") { lead(report, &$0) }
            if let standbys = report.standbys {
                section.element("p") { $0.stranger(text(standbys)) }
            }
            guard !report.nodes.isEmpty else { return }
            let heads = ["Node", "Address", "Release", "State", "Seen", "Copies"]
            section.table("Nodes", heads) { table in
                for node in report.nodes { row(node, &table) }
            }
        }
    }

    private static func lead(_ report: ClusterReport, _ output: inout HTMLOutput) {
        if let fault = report.fault {
            output.state(.bad, "The database cannot be asked: ")
            return output.stranger(fault)
        }
        guard let leader = report.nodes.first(where: { $0.standing == .leads }) else {
            return output.state(.bad, "No node leads: requests and devices wait.")
        }
        output.state(.good, "One node leads: ")
        output.stranger(leader.name)
        output.text(", term \(Spelled.count(report.term))")
        output.text(leader.isSelf ? ", which shows this page." : ".")
    }

    private static func text(_ standbys: ClusterReport.Standbys) -> String {
        let connected = "PostgreSQL's standbys: \(Spelled.count(standbys.connected)) connected"
        if standbys.synchronousNames.isEmpty { return connected + ", commits wait for none." }
        let waited = standbys.synchronous.map { ", commits wait for \(Spelled.count($0)) of them" }
        return connected + (waited ?? "") + " (\(standbys.synchronousNames))."
    }

    private static func row(_ node: ClusterReport.Node, _ table: inout HTMLOutput) {
        table.row { row in
            row.cell { $0.stranger(node.name) }
            row.cell { $0.stranger(node.address) }
            row.cell { $0.stranger(node.release) }
            row.cell { cell in
                switch node.standing {
                case .leads: cell.state(.good, "leads")
                case .standby: cell.state(.good, "waits")
                case .silent: cell.state(.bad, "silent")
                }
            }
            row.cell("\(Spelled.count(node.silence / 1_000)) s ago")
            row.cell(node.copies?.text ?? "")
        }
    }
}
