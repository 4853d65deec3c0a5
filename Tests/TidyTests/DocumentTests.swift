import Testing

/// What `README.md` says of settings, options and files, against the tree.
@Suite("Documents")
struct DocumentTests {
    static let readme = Repository.document("README.md")

    static func source(_ name: String) -> SourceFile {
        SourceFile(name: name, text: Repository.document(name), language: .swift)
    }

    @Test("the configuration table and the settings are the same")
    func settings() {
        let keys = CommandLineOptions.keys(Self.source("Sources/HubServer/ServerSettings.swift"))
        #expect(keys.count > 8)
        let rows = MarkdownTable.rows(of: Self.readme, header: ["key", "environment"])
        #expect(rows.compactMap { $0.codes(0).first }.sorted() == keys.map(\.key).sorted())
        let options = CommandLineOptions.options(
            Self.source("Sources/belfry/Hub/ServeCommand.swift")
        )
        let serve = Set(options["ServeCommand"] ?? [])
        #expect(serve.count > 8)
        for row in rows {
            guard let key = keys.first(where: { [$0.key] == row.codes(0) }) else { continue }
            #expect(row.codes(1) == [key.environment], "README.md:\(row.line)")
            for option in row.codes(2) { #expect(serve.contains(option), "README.md:\(row.line)") }
            if let range = key.range { #expect(row.cells[4] == range, "README.md:\(row.line)") }
        }
        let told = Set(rows.flatMap { $0.codes(2) }).union(["--data"])
        #expect(serve.subtracting(told).sorted() == [], "options without a row")
    }

    @Test("the table of commands and the commands have the same options")
    func commands() {
        let rows = MarkdownTable.rows(of: Self.readme, header: ["command", "does", "options"])
        var options: [String: [String]] = [:]
        for file in Repository.swift(below: "Sources/belfry") {
            options.merge(CommandLineOptions.options(file)) { $0 + $1 }
        }
        let commands = CommandTree.commands(
            Repository.swift(below: "Sources/belfry"),
            root: "Belfry"
        )
        #expect(commands.count > 15)
        #expect(Set(rows.compactMap { $0.codes(0).first }) == Set(commands.keys))
        for row in rows {
            guard let type = row.codes(0).first.flatMap({ commands[$0] }) else { continue }
            let own = (options[type] ?? []).flatMap { option in
                option.hasPrefix("@") ? options[String(option.dropFirst())] ?? [] : [option]
            }
            // What configures a server has a table of its own, see above.
            let listed = type == "ServeCommand" ? ["--data"] : own.sorted()
            #expect(row.codes(2).sorted() == listed, "README.md:\(row.line)")
        }
    }

    @Test("keys and options are read from source text")
    func reading() {
        let settings = SourceFile(
            name: "a",
            text: """
                a = reader.string(forKey: "rest.host", default: "x")
                b = try number(reader, "rest.port", 0...65_535) ?? 1
                c = try flag(reader, "log.all")
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
        let tops = ["Sources/", "Tests/", "Protocol/", "Fuzz/", ".ci/"]
        for document in ["README.md", "Sources/README.md", "Fuzz/README.md"] {
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

    @Test("the first commands of README are the demo and the tests")
    func firstCommands() {
        let blocks = Self.readme.split(separator: "```", omittingEmptySubsequences: false)
        let commands = blocks.indices.filter { $0 % 2 == 1 }.flatMap { index in
            blocks[index].split(separator: "\n").filter { $0.hasPrefix("make ") }.map { line in
                line.split(separator: " ").prefix(2).joined(separator: " ")
            }
        }
        #expect(Array(commands.prefix(2)) == ["make demo", "make test"])
        #expect(Self.readme.contains("apt-get install"))
    }

    @Test("make has the targets that README names, and .ci/run calls make test alone")
    func make() {
        let makefile = Repository.document("Makefile")
        for target in ["demo", "test", "bench", "fuzz", "fuzz-rest", "lint", "help"] {
            let hasTarget = makefile.split(separator: "\n").contains { $0.hasPrefix(target + ":") }
            #expect(hasTarget, "make \(target)")
            #expect(Self.readme.contains("make \(target)"), "README does not name make \(target)")
        }
        let run = Repository.document(".ci/run")
        let calls = run.split(separator: "\n").filter { $0.contains("make") && !$0.hasPrefix("#") }
        let installing = calls.filter { $0.contains("command -v make") || $0.contains("apt-get") }
        #expect(calls.filter { !installing.contains($0) } == ["exec make test"])
    }
}
