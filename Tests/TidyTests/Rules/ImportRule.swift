/// Arrows point down: a target imports what the table of `Sources/Targets.md` says, nothing else.
enum ImportRule {
    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
    ]

    /// The modules that a file imports, with their lines.
    static func imports(_ file: SourceFile) -> [(module: String, line: Int)] {
        let code = file.code
        return code.indices.dropLast().filter {
            code[$0].text == "import" && code[$0].kind == .word
        }
        .map { index in
            let isKind = kinds.contains(code[index + 1].text) && index + 2 < code.count
            let module = code[isKind ? index + 2 : index + 1]
            return (module.text, module.line)
        }
    }

    /// Testable imports of modules that are to be tested from outside.
    static func insideViews(_ file: SourceFile, of modules: Set<String>) -> [Finding] {
        let code = file.code
        return code.indices.dropLast(2).filter { index in
            code[index].text == "@testable" && modules.contains(code[index + 2].text)
        }.map { file.finding(code[$0].line, "looks into \(code[$0 + 2].text), which is pure") }
    }

    /// Imports of one file that its target's row does not name.
    static func check(_ file: SourceFile, _ row: TargetRow) -> [Finding] {
        imports(file).compactMap { module, line in
            guard row.modules.contains(module) else {
                return file.finding(line, "\(row.name) may not import \(module)")
            }
            if let only = row.filesOfModules[module], !file.name.hasSuffix("/" + only) {
                return file.finding(line, "only \(only) may import \(module) in \(row.name)")
            }
            return nil
        }
    }

    /// Differences between the table and the manifest, and arrows that point up.
    static func compare(_ rows: [TargetRow], _ targets: [ManifestTarget]) -> [Finding] {
        var findings: [Finding] = []
        for target in targets where !target.isTest {
            guard let row = rows.first(where: { $0.name == target.name }) else {
                let message = "\(target.name) is not in the table of \(TargetTable.file)"
                findings.append(Finding(file: Manifest.file, line: target.line, message: message))
                continue
            }
            let wanted = row.modules.subtracting(TargetTable.toolchain)
            for name in target.dependencies.subtracting(wanted) {
                let message = "\(target.name) depends on \(name), which its row does not name"
                findings.append(Finding(file: Manifest.file, line: target.line, message: message))
            }
            for name in wanted.subtracting(target.dependencies) {
                let message =
                    "\(target.name) may import \(name), which the manifest does not give it"
                findings.append(Finding(file: TargetTable.file, line: row.line, message: message))
            }
        }
        for (index, row) in rows.enumerated() {
            let below = Set(rows[..<index].map(\.name))
            for name in row.modules where rows.contains(where: { $0.name == name }) {
                guard !below.contains(name) else { continue }
                let message = "\(row.name) imports \(name), which does not stand above it"
                findings.append(Finding(file: TargetTable.file, line: row.line, message: message))
            }
            if !targets.contains(where: { $0.name == row.name }) {
                let message = "\(row.name) is not in \(Manifest.file)"
                findings.append(Finding(file: TargetTable.file, line: row.line, message: message))
            }
        }
        return findings
    }

    /// Permissions that no file uses: a table that promises less is easier to keep.
    static func unused(_ row: TargetRow, _ files: [SourceFile]) -> [Finding] {
        let used = Set(files.flatMap { imports($0).map(\.module) })
        return row.modules.subtracting(used).map { module in
            let message = "\(row.name) imports \(module) nowhere"
            return Finding(file: TargetTable.file, line: row.line, message: message)
        }
    }
}
