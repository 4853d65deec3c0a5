import Foundation
import HubTestSupport
import Testing

/// What the documents say of settings, commands and files, against the tree.
@Suite("Documents")
struct DocumentTests {
    static let readme = Repository.document("README.md")
    static let handbook = "Sources/belfry/Belfry.docc/"
    /// The present truth by subject.
    static let chapters = [
        "Durability", "Delivery", "Targeting", "REST", "Transport", "Operations",
    ]
    .map { "Sources/HubModel/Hub.docc/\($0).md" }

    /// The file of this name, wherever it lies.
    static func source(_ name: String) -> SourceFile {
        Repository.swift.first { $0.name.hasSuffix("/" + name) }
            ?? SourceFile(name: name, text: "", language: .swift)
    }

    @Test("the configuration table and the settings are the same")
    func settings() {
        let keys = CommandLineOptions.keys(Self.source("ServerSettings.swift"))
        #expect(keys.count > 8)
        let page = Self.handbook + "Configuration.md"
        let rows = MarkdownTable.rows(
            of: Repository.document(page),
            header: ["key", "environment"]
        )
        #expect(rows.compactMap { $0.codes(0).first }.sorted() == keys.map(\.key).sorted())
        let options = CommandLineOptions.options(Self.source("ServeCommand.swift"))
        let groups = CommandLineOptions.options(Self.source("DatabaseChoice.swift"))
        let serve = Set(
            (options["ServeCommand"] ?? []).flatMap { groups[String($0.dropFirst())] ?? [$0] }
        )
        #expect(serve.count > 8)
        for row in rows {
            guard let key = keys.first(where: { [$0.key] == row.codes(0) }) else { continue }
            #expect(row.codes(1) == [key.environment], "\(page):\(row.line)")
            for option in row.codes(2) { #expect(serve.contains(option), "\(page):\(row.line)") }
            if let range = key.range { #expect(row.cells[4] == range, "\(page):\(row.line)") }
        }
        let told = Set(rows.flatMap { $0.codes(2) }).union(["--data"])
        #expect(serve.subtracting(told).sorted() == [], "options without a row")
    }

    @Test("the page of commands has a row for each command, and for nothing else")
    func commands() {
        let page = Repository.document(Self.handbook + "Commands.md")
        let rows = MarkdownTable.rows(of: page, header: ["command", "does"])
        let commands = CommandTree.commands(
            Repository.swift(below: "Sources/belfry")
                + Repository.swift(below: "Sources/BenchCommands"),
            root: "Belfry"
        )
        #expect(commands.count > 15)
        #expect(rows.compactMap { $0.codes(0).first }.sorted() == commands.keys.sorted())
    }

    @Test("keys and options are read from source text")
    func reading() {
        let settings = SourceFile(
            name: "a",
            text: """
                a = reader.string("rest.host") ?? "x"
                b = try reader.number("rest.port", 0...65_535) ?? 1
                c = try reader.flag("log.all")
                throw .brokenFile(path: "none", reason: "none")
                """,
            language: .swift
        )
        let keys = CommandLineOptions.keys(settings)
        #expect(keys.map(\.key) == ["rest.host", "rest.port", "log.all"])
        #expect(keys.map(\.range) == [nil, "0 to 65535", nil])
        #expect(keys[1].environment == "BELFRY_REST_PORT")
        let commands = SourceFile(
            name: "b",
            text: """
                struct A {
                    @OptionGroup var shared: B
                    @Option(help: "Port.") var restPort: Int?
                    @Option(name: .customLong("tag"), help: "Tag.") var tags: [String] = []
                    @Flag(help: .hidden) var secret = false
                    enum C { case d }
                    @Argument var body: String
                    @Flag var all = false
                }
                struct B { @Flag var json = false }
                """,
            language: .swift
        )
        let options = CommandLineOptions.options(commands)
        #expect(options == ["A": ["@B", "--rest-port", "--tag", "--all"], "B": ["--json"]])
    }

    @Test("commands are found below the root, except those that are not shown")
    func tree() {
        let file = SourceFile(
            name: "a",
            text: """
                struct Root { static let configuration = CommandConfiguration(
                    commandName: "root", subcommands: [One.self, Two.self, Three.self]) }
                struct One { static let configuration = CommandConfiguration(commandName: "one") }
                struct Two { static let configuration = CommandConfiguration(
                    commandName: "two", subcommands: [One.self, Four.self],
                    defaultSubcommand: Four.self) }
                struct Three { static let configuration = CommandConfiguration(
                    commandName: "three", shouldDisplay: false) }
                struct Four { static let configuration = CommandConfiguration(commandName: "x") }
                """,
            language: .swift
        )
        let commands = CommandTree.commands([file], root: "Root")
        #expect(commands == ["root one": "One", "root two one": "One", "root two": "Four"])
    }

    @Test("every file that a document names exists")
    func names() {
        let tops = ["Sources/", "Tests/", "Protocol/", "Fuzz/", ".ci/", ".github/"]
        for document in Documents.current {
            let text = Repository.document(document)
            #expect(!text.isEmpty, "\(document) is missing")
            let parts = text.split(separator: "`", omittingEmptySubsequences: false)
            for index in parts.indices where index % 2 == 1 {
                let name = String(parts[index])
                guard tops.contains(where: name.hasPrefix), !name.contains(where: \.isWhitespace),
                    !name.contains("*"), !name.contains("<")
                else { continue }
                #expect(Repository.exists(name), "\(document) names \(name)")
            }
        }
    }

    @Test("every link of a document leads to a file, and to a heading that is there")
    func links() {
        #expect(Documents.current.count > 40)
        let findings = Documents.current.flatMap { document in
            // A picture has no headings.
            LinkRule.check(document) { name in
                Repository.text(name) ?? (Repository.exists(name) ? "" : nil)
            }
        }
        expectNone(findings)
    }

    @Test("the link rule sees files and headings that are not there")
    func linksCanFail() {
        let texts = [
            "a/b.md": "[c](c.md) [d](d.md) [e](../e.md#one-two) [f](../e.md#three) [g](https://h)",
            "a/c.md": "", "e.md": "# One, `two`\n",
        ]
        #expect(
            LinkRule.check("a/b.md") { texts[$0] }.map(\.message) == [
                "links to d.md, which is not there",
                "links to ../e.md#three, a heading that is not there",
            ]
        )
    }

    @Test("a chapter has at most 8 KB, a decision 1.5")
    func sizes() {
        let decisions = Documents.current.filter { $0.contains(".docc/Decisions/") }
        #expect(decisions.count > 40)
        for (documents, most) in [(Self.chapters, 8_192), (decisions, 1_536)] {
            for document in documents {
                let size = Repository.document(document).utf8.count
                #expect(0 < size && size <= most, "\(document) has \(size) bytes")
            }
        }
    }

    @Test("README begins with its title; its first commands are the demo and the tests")
    func firstCommands() {
        #expect(Self.readme.hasPrefix("# Belfry\n"))
        let blocks = Self.readme.split(separator: "```", omittingEmptySubsequences: false)
        let commands = blocks.indices.filter { $0 % 2 == 1 }.flatMap { index in
            blocks[index].split(separator: "\n").filter { $0.hasPrefix("make ") }.map { line in
                line.split(separator: " ").prefix(2).joined(separator: " ")
            }
        }
        #expect(Array(commands.prefix(2)) == ["make demo", "make test"])
        #expect(Self.readme.contains("apt-get install"))
    }

    @Test("the newest release of CHANGELOG is the version that the binary says")
    func version() {
        let changes = Repository.document("CHANGELOG.md").split(separator: "\n")
        let newest = changes.first { $0.hasPrefix("## ") }?.dropFirst(3) ?? "none"
        let code = Self.source("Release.swift").code
        #expect(code.contains { $0.kind == .string && $0.text == newest }, "\(newest)")
    }

    @Test("make has the targets that documents name, and .ci/run calls make test alone")
    func make() {
        let makefile = Repository.document("Makefile").split(separator: "\n")
        for document in Documents.current {
            for target in Documents.targets(of: Repository.document(document)) {
                let hasTarget = makefile.contains { $0.hasPrefix(target + ":") }
                #expect(hasTarget, "\(document) names make \(target)")
            }
        }
        let run = Repository.document(".ci/run")
        let calls = run.split(separator: "\n").filter { $0.contains("make") && !$0.hasPrefix("#") }
        let installing = calls.filter { $0.contains("command -v make") || $0.contains("apt-get") }
        #expect(calls.filter { !installing.contains($0) } == ["exec make test"])
    }

    @Test("targets of make are found in code, behind variables too")
    func targets() {
        let text = "`make docs`, they make tests\n\n```\nmake demo  # x\nN=1 make bench\n```\n"
        #expect(Documents.targets(of: text) == ["docs", "demo", "bench"])
    }

    @Test(
        "docc takes every chapter without a warning",
        .enabled(if: Documents.program("docc") != nil && Documents.program("python3") != nil)
    )
    func chapters() throws {
        #expect(Documents.current.contains(Self.handbook + "Belfry.md"))
        let out = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-docs-\(UInt32.random(in: 0 ... .max))")
        defer { try? FileManager.default.removeItem(at: out) }
        let docs = Process()
        docs.executableURL = URL(fileURLWithPath: Repository.root + "/.ci/docs")
        docs.arguments = [out.path]
        let output = Pipe()
        docs.standardError = output
        docs.standardOutput = output
        try docs.run()
        let told = try docs.end(writing: output, within: .seconds(300))
        #expect(told.code == 0, "\(told.text)")
        let page = out.appendingPathComponent("data/documentation/belfry.json").path
        #expect(FileManager.default.fileExists(atPath: page))
    }
}
