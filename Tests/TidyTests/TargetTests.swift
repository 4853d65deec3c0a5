import Testing

/// The target table of `Sources/Targets.md`, the manifest and the imports say the same.
@Suite("Targets")
struct TargetTests {
    @Test("the table names every kind of target, each row with a sentence")
    func readsTheTable() {
        #expect(TargetTable.rows.count > 12)
        for row in TargetTable.rows {
            #expect(TargetTable.kinds.contains(row.kind), "\(row.name) is '\(row.kind)'")
        }
        #expect(Set(TargetTable.rows.map(\.name)).count == TargetTable.rows.count)
        #expect(Manifest.targets.count > 25)
    }

    @Test("no import breaks the target table")
    func imports() {
        var findings: [Finding] = []
        for target in Manifest.targets where !target.isTest {
            guard let row = TargetTable.rows.first(where: { $0.name == target.name }) else {
                continue
            }
            let files = Repository.swift(below: target.folder)
            findings += files.flatMap { ImportRule.check($0, row) }
            if row.kind != "system" { findings += ImportRule.unused(row, files) }
        }
        expectNone(findings)
    }

    @Test("the manifest gives each target what the table allows, and arrows point down")
    func manifest() {
        let findings = ImportRule.compare(TargetTable.rows, Manifest.targets)
        expectNone(findings)
    }

    @Test("every folder of code belongs to a target of the manifest")
    func folders() {
        let folders = Manifest.targets.map { $0.folder + "/" }
        let strays = Repository.swift.map(\.name).filter { name in
            name != Manifest.file && !folders.contains { name.hasPrefix($0) }
        }
        #expect(strays == [])
    }

    @Test("pure targets have no clocks, files, threads, waiting or dice of their own")
    func purity() {
        var findings: [Finding] = []
        for row in TargetTable.rows where row.kind == "pure" {
            findings += Repository.swift(below: "Sources/\(row.name)").flatMap {
                PurityRule.check($0)
            }
        }
        expectNone(findings)
    }

    @Test("pure targets are tested through what they offer to other targets")
    func testedFromOutside() {
        let pure = Set(TargetTable.rows.filter { $0.kind == "pure" }.map(\.name))
        expectNone(
            Repository.swift(below: "Tests").flatMap { ImportRule.insideViews($0, of: pure) }
        )
    }

    @Test("the rule of views from inside sees a testable import")
    func testedFromOutsideCanFail() {
        let sample = "@testable import High\nimport Low\n@testable import Low\n"
        let check = { ImportRule.insideViews($0, of: ["Low"]) }
        #expect(messages(check, sample) == ["3: looks into Low, which is pure"])
    }

    @Test("the import rule sees a module that a row does not name")
    func importsCanFail() {
        let text = """
            | target | kind | may import | sentence |
            |---|---|---|---|
            | `Low` | pure | – | Low |
            | `High` | edge | `Low`, `Glibc` (`Socket.swift`) | High |
            | `Up`, `Out` | edge | `Beyond` | Up |
            | `Beyond` | edge | – | Beyond |
            """
        let rows = TargetTable.rows(of: text)
        #expect(rows.map(\.name) == ["Low", "High", "Up", "Out", "Beyond"])
        let sample = """
            import struct Low.A
            package import Other
            import Glibc  // import Nothing
            """
        let check = { ImportRule.check($0, rows[1]) }
        #expect(
            messages(check, sample) == [
                "2: High may not import Other", "3: only Socket.swift may import Glibc in High",
            ]
        )
        let file = SourceFile(name: "a/Socket.swift", text: "import Glibc", language: .swift)
        #expect(ImportRule.check(file, rows[1]) == [])
        #expect(ImportRule.unused(rows[1], [file]).map(\.message) == ["High imports Low nowhere"])
    }

    @Test("the manifest is read with its short forms, and compared both ways")
    func manifestCanFail() {
        let text = """
            let crypto = product("Crypto", "swift-crypto")
            func target(_ name: String) -> Target { .target(name: name, path: nil) }
            let all = [
                target("Low"),
                target("High", ["Low", crypto, product("Extra", "extra")], path: "Other/High"),
                .executableTarget(name: "Top", dependencies: ["High"], swiftSettings: [x("No")]),
                tests("High", ["High"]),
                helper("Aid", ["Low"]),
            ]
            """
        let file = SourceFile(name: "Package.swift", text: text, language: .swift)
        let targets = Manifest.targets(of: file)
        #expect(targets.map(\.name) == ["Low", "High", "Top", "HighTests", "Aid"])
        #expect(targets[1].dependencies == ["Low", "Crypto", "Extra"])
        #expect(targets[1].folder == "Other/High")
        #expect(targets[2].dependencies == ["High"])
        #expect(targets[4].folder == "Tests/Support/Aid")
        let rows = TargetTable.rows(
            of: """
                | target | kind | may import |
                |---|---|---|
                | `High` | edge | `Low`, `Crypto`, `Missing`, `Glibc` |
                | `Low` | pure | – |
                | `Gone` | pure | – |
                """
        )
        #expect(
            ImportRule.compare(rows, targets).map(\.message).sorted() == [
                "Aid is not in the table of Sources/Targets.md",
                "Gone is not in Package.swift",
                "High depends on Extra, which its row does not name",
                "High imports Low, which does not stand above it",
                "High may import Missing, which the manifest does not give it",
                "Top is not in the table of Sources/Targets.md",
            ]
        )
    }

    @Test("the purity rule sees clocks, waiting and unseeded dice, and no talk of them")
    func purityCanFail() {
        let sample = """
            // Date() and await are only mentioned here, as in "print(1)".
            func a(_ clock: Instant) async -> Int { await Task { 1 }.value }
            let b = Int.random(in: 0..<2) + Int.random(in: 0..<2, using: &source)
            let c = Date(), d = [1].shuffled()
            let e = unsafe pointer.pointee
            """
        #expect(
            messages(PurityRule.check, sample) == [
                "2: 'Task' in a pure target", "2: 'async' in a pure target",
                "2: 'await' in a pure target", "3: 'random' without 'using:' in a pure target",
                "4: 'Date' in a pure target", "4: 'shuffled' without 'using:' in a pure target",
                "5: 'unsafe' in a pure target",
            ]
        )
    }
}
