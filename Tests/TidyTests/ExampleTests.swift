import Testing

/// The SDK's examples: what a document shows is what is compiled and run, and they see no more of
/// the SDK than another package does.
@Suite("Examples")
struct ExampleTests {
    static let folder = "Tests/HubClientExamples/"
    static let chapter = "Sources/HubClient/HubClient.docc/"
    static let pages = Documents.current.filter { $0.hasPrefix(chapter) }

    /// The blocks of Swift of a document, with the file that each is said to be.
    static func blocks(of text: String) -> [(file: String, code: String)] {
        let parts = text.split(separator: "```", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 && parts[$0].hasPrefix("swift\n") }.map { index in
            let before = parts[index - 1].split(separator: "`")
            let file = before.last { $0.hasSuffix(".swift") } ?? ""
            return (String(file), String(parts[index].dropFirst("swift\n".count)))
        }
    }

    @Test("every example stands in the SDK's chapter as it is compiled")
    func documented() {
        let blocks = Self.pages.flatMap { Self.blocks(of: Repository.document($0)) }
        let files = Repository.swift(below: String(Self.folder.dropLast())).map(\.name)
        #expect(files.count >= 8)
        #expect(blocks.map(\.file).sorted() == files.sorted())
        for block in blocks {
            let text = Repository.document(block.file)
            #expect(block.code == text, "\(Self.chapter) shows another \(block.file)")
        }
    }

    @Test("what the SDK's comments show is part of an example")
    func comments() {
        let examples = Repository.swift(below: String(Self.folder.dropLast())).map { file in
            Self.words(Repository.document(file.name))
        }
        for name in ["HubClient/Link/DeviceClient.swift", "HubSender/Client/SenderClient.swift"] {
            let text = Repository.document("Sources/" + name)
            let shown = text.split(separator: "\n").filter { $0.hasPrefix("///     ") }.map {
                $0.dropFirst(3)
            }
            #expect(shown.count > 3, "\(name)")
            let code = Self.words(shown.joined(separator: "\n"))
            #expect(examples.contains { $0.contains(code) }, "\(name) shows:\n\(code)")
        }
    }

    private static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("blocks are found with the file that stands before them")
    func reading() {
        let text = "see `a.swift`:\n\n```swift\nlet a = 1\n```\n\n```\nmake `b.swift`\n```\n"
        let blocks = Self.blocks(of: text)
        #expect(blocks.map(\.file) == ["a.swift"])
        #expect(blocks.map(\.code) == ["let a = 1\n"])
    }

    @Test("each scenario has a page with its command, and a row in the handbook")
    func scenarios() {
        let handbook = Repository.document("Sources/belfry/Belfry.docc/Scenarios.md")
        let rows = MarkdownTable.rows(of: handbook, header: ["scenario", "shows"])
        #expect(rows.count == 6)
        for row in rows {
            let name = row.cells[0]
            let page = Self.chapter + (row.codes(2).first ?? "")
            #expect(handbook.contains("demo --scenario \(name)\n"), "\(name)")
            let text = Repository.document(page)
            #expect(text.contains("demo --scenario \(name)"), "\(page)")
            #expect(Self.blocks(of: text).count == 1, "\(page)")
        }
    }

    /// Where `public` may stand: what the SDK offers, and what C calls.
    static let published = [
        "Sources/HubClient/", "Sources/HubClientGRDB/", "Sources/HubSender/",
        "Sources/HubEndpoint/", "Sources/HubWire/",
        "Sources/HubVocabulary/Access/Platform.swift",
        "Sources/HubVocabulary/Identifiers/NotificationIdentifier.swift", "Fuzz/",
    ]

    static func published(_ file: SourceFile) -> [Finding] {
        guard !published.contains(where: file.name.hasPrefix) else { return [] }
        return file.code.filter { $0.kind == .word && $0.text == "public" }.map { token in
            file.finding(token.line, "'public' outside of the SDK")
        }
    }

    @Test("only the SDK and what it speaks of is public")
    func access() {
        expectNone(Repository.swift.flatMap(Self.published))
    }

    @Test("the rule of access sees what is public elsewhere")
    func accessCanFail() {
        #expect(
            messages(Self.published, "public let a = 1\n") == ["1: 'public' outside of the SDK"]
        )
        let file = SourceFile(name: "Fuzz/A.swift", text: "public let a = 1", language: .swift)
        #expect(Self.published(file) == [])
    }

    @Test("the examples see no more than what is public")
    func packageAccess() {
        let manifest = Repository.document("Package.swift")
        let parts = manifest.split(separator: "\"HubClientExamples\",", maxSplits: 1)
        #expect(parts.count == 2)
        #expect(parts.last?.prefix(300).contains("packageAccess: false") == true)
        for product in ["HubClient", "HubClientGRDB", "HubSender"] {
            #expect(manifest.contains(#".library(name: "\#(product)""#), "\(product)")
        }
    }
}
