/// A row of the target table in `Sources/Targets.md`, the one place that says who may import whom.
struct TargetRow: Equatable {
    let name: String
    /// `pure`, `edge`, `wiring`, `executable`, `test` or `system`.
    let kind: String
    /// The modules it may import.
    let modules: Set<String>
    /// Modules that only the named file may import.
    let filesOfModules: [String: String]
    let line: Int
}

enum TargetTable {
    static let file = "Sources/Targets.md"
    static let kinds: Set<String> = ["pure", "edge", "wiring", "executable", "test", "system"]
    /// Modules that come with the toolchain, which a manifest does not name.
    static let toolchain: Set<String> = [
        "Foundation", "FoundationEssentials", "FoundationXML", "Glibc", "Synchronization",
        "Dispatch",
        "Testing",
    ]

    /// The rows; a module is written as code, with the one file that may import it in parentheses.
    static func rows(of text: String) -> [TargetRow] {
        MarkdownTable.rows(of: text, header: ["target", "kind", "may import"]).flatMap { row in
            var modules: Set<String> = []
            var files: [String: String] = [:]
            for entry in row.cells[2].split(separator: ",") {
                let parts = entry.split(separator: "`", omittingEmptySubsequences: false)
                guard parts.count > 1 else { continue }
                modules.insert(String(parts[1]))
                if parts.count > 3 { files[String(parts[1])] = String(parts[3]) }
            }
            return row.codes(0).map { name in
                TargetRow(
                    name: name,
                    kind: row.cells[1],
                    modules: modules,
                    filesOfModules: files,
                    line: row.line
                )
            }
        }
    }

    static let rows = rows(of: Repository.document(file))
}
