import Testing

/// What the package is made of.
@Suite("Package graph")
struct GraphTests {
    /// Parts of names that no package may have: the wire formats here are our own.
    static let refused = ["proto" + "buf", "gr" + "pc"]

    static func refusals(in text: String, file: String) -> [Finding] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { line in
            refused.filter { line.element.lowercased().contains($0) }
                .map { Finding(file: file, line: line.offset + 1, message: "names \($0)") }
        }
    }

    @Test("neither the manifest nor the resolved graph has a package for foreign frames")
    func packages() {
        var findings = Self.refusals(
            in: Repository.document("Package.swift"),
            file: "Package.swift"
        )
        // Written by the resolution in front of every build.
        if let resolved = Repository.text("Package.resolved") {
            #expect(resolved.contains("swift-nio"))
            findings += Self.refusals(in: resolved, file: "Package.resolved")
        }
        expectNone(findings)
    }

    @Test("the graph rule sees such a package")
    func packagesCanFail() {
        let text = "{\n  \"identity\" : \"swift-\(Self.refused[0])\"\n}"
        #expect(Self.refusals(in: text, file: "a").map(\.line) == [2])
    }

    @Test("every dependency has an exact version")
    func versions() {
        let file = SourceFile(
            name: "Package.swift",
            text: Repository.document("Package.swift"),
            language: .swift
        )
        var packages = 0
        for index in file.code.indices.dropLast()
        where file.code[index].text == "package" && file.code[index + 1].text == "(" {
            let end = file.end(ofBracketAt: index + 1)
            let words = file.code[index...end].map(\.text)
            guard words.contains("url") else { continue }
            packages += 1
            #expect(words.contains("exact"), "\(words.joined(separator: " "))")
        }
        #expect(packages > 10)
    }
}
