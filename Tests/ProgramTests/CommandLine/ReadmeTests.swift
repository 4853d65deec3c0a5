import Foundation
import HubClient
import Testing

@testable import ScenarioSupport

/// What README.md and the handbook tell a newcomer to type, typed.
@Suite("The commands of README")
struct ReadmeTests {
    /// The commands of the first code block after a line, without their remarks.
    static func commands(after heading: String, in text: String) -> [String] {
        guard let start = text.firstRange(of: heading) else { return [] }
        let blocks = text[start.upperBound...].split(
            separator: "```",
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard blocks.count > 1 else { return [] }
        return blocks[1].split(separator: "\n").map { line in
            let command = line.firstRange(of: "  # ").map { line[..<$0.lowerBound] } ?? line
            return command.trimmingCharacters(in: .whitespaces)
        }
    }

    private static func readme() throws -> String {
        try String(contentsOfFile: SourceTree.path("README.md"), encoding: .utf8)
    }

    private static func page(_ name: String) throws -> String {
        let path = SourceTree.path("Sources/belfry/Belfry.docc/" + name)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// The binary that was built with the tests; README names it where `make demo` leaves it.
    private static func belfry() throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("belfry").path
    }

    /// Runs a line of README in a folder, with the tests' binary and free ports.
    private static func run(_ command: String, in folder: String) throws -> Program {
        // A pipeline cannot be what a shell becomes.
        let exec = command.contains("|") ? "" : "exec "
        return try Program(
            "/bin/bash",
            ["-c", "cd \"$1\" && \(exec)\(own(command))", "bash", folder],
            environment: ["BELFRY_REST_PORT": "0", "BELFRY_DEVICE_PORT": "0"]
        )
    }

    /// A line of README with the tests' binary.
    private static func own(_ command: String) throws -> String {
        try command.replacing(".build/debug/belfry", with: "'\(belfry())'")
    }

    @Test("push one notification, as it stands there")
    func pushes() async throws {
        let commands = Self.commands(after: "## Push one notification", in: try Self.readme())
        try #require(commands.count == 4, "\(commands)")
        #expect(commands[0] == "make demo")
        let folder = ScenarioFolder()

        let hub = try Self.run(commands[1], in: folder.path)
        try await hub.output.wait(for: "where it listens") {
            $0.contains { $0.contains("REST on") }
        }
        let device = try Self.run(commands[2], in: folder.path)
        try await device.output.wait(for: "a subscription") { lines in
            lines.contains { $0.hasPrefix("subscribed") }
        }
        let send = try Self.run(commands[3], in: folder.path)
        #expect(try await send.exitCode() == 0, "\(send.errors.events)")
        #expect(send.output.events.contains { $0.hasPrefix("accepted ") })
        try await device.output.wait(for: "the notification") { lines in
            lines.contains { $0.contains("Hello") }
        }

        device.signal(SIGTERM)
        _ = try await device.exitCode()
        hub.signal(SIGTERM)
        #expect(try await hub.exitCode() == 0, "\(hub.errors.events)")
    }

    @Test(
        "send with curl, as the handbook has it",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"))
    )
    func curls() async throws {
        let script = Self.commands(after: "## With curl", in: try Self.page("Sending.md"))
        try #require(script.count == 4, "\(script)")
        let folder = ScenarioFolder()
        let hub = try Self.run(".build/debug/belfry serve --data ./data", in: folder.path)
        try await hub.output.wait(for: "where it listens") {
            $0.contains { $0.contains("REST on") }
        }
        let port = try ConnectionFile(dataFolder: folder.file("data")).rest.port
        let command = script.joined(separator: "\n")
            .replacing(":8443/", with: ":\(port)/")
            .replacing("$(belfry ", with: "$(\(try Self.belfry()) ")
        let curl = try Program(
            "/bin/bash",
            ["-c", "cd \"$1\" && " + command, "bash", folder.path]
        )
        #expect(try await curl.exitCode() == 0, "\(curl.errors.events)")
        #expect(curl.output.events.first?.contains(" 201") == true, "\(curl.output.events)")
        hub.signal(SIGTERM)
        #expect(try await hub.exitCode() == 0, "\(hub.errors.events)")
    }

    @Test("try the app, as it stands there: from one phone's keys to the other's inbox")
    func app() async throws {
        let commands = Self.commands(after: "## Try the app", in: try Self.page("Scenarios.md"))
        try #require(commands.count == 6, "\(commands)")
        let folder = ScenarioFolder()
        let hub = try Self.run(commands[0], in: folder.path)
        try await hub.output.wait(for: "where it listens") {
            $0.contains { $0.contains("REST on") }
        }
        for command in commands[1...2] {
            let add = try Self.run(command, in: folder.path)
            #expect(try await add.exitCode() == 0, "\(add.errors.events)")
        }
        // The only port that the environment does not choose.
        let backend = try Self.run(commands[3] + " --port 0", in: folder.path)
        try await backend.output.wait(for: "where it listens") { !$0.isEmpty }
        var people: [PersonAtTerminal] = []
        for (command, name) in zip(commands[4...5], ["bob", "alice"]) {
            // Machines that run all tests at once answer late.
            let patient = try Self.own(command) + " --patience 60"
            let person = try PersonAtTerminal(
                command: ["/bin/bash", "-c", "cd \(folder.path) && exec \(patient)"]
            )
            try await person.see("Password:")
            try await person.press("\(name)\rdrink more tea\r")
            try await person.see("Registered successfully!")
            people.append(person)
        }
        try await people[1].press("3bob\rHello bob\r")
        try await people[1].see("Sent.")
        try await people[0].see("From alice: Hello bob")
        for person in people {
            try await person.press("\u{3}")
            try await person.expectEnd()
        }
        for program in [backend, hub] {
            program.signal(SIGTERM)
            #expect(try await program.exitCode() == 0, "\(program.errors.events)")
        }
    }

    @Test("make demo, with the build that stands, shows every device as expected")
    func demo() async throws {
        let commands = Self.commands(after: "# Belfry", in: try Self.readme())
        try #require(commands.prefix(2) == ["make demo", "make test"], "\(commands)")
        // The tests have built it; a second build would wait for the first one's end.
        let demo = try Program(
            "/usr/bin/env",
            ["make", "-C", SourceTree.path("."), "demo", "SWIFT=true", "BELFRY=\(Self.belfry())"]
        )
        try await demo.output.wait(for: "the last line") { lines in
            lines.contains { $0.contains("Every device got exactly what it should") }
        }
        #expect(try await demo.exitCode() == 0, "\(demo.errors.events)")
        let lines = demo.output.events
        #expect(lines.count { $0.hasSuffix(" ok") } == 12, "\(lines)")
    }

    @Test("make test builds the tests and ends with their run; make help names every target")
    func test() async throws {
        let folder = SourceTree.path(".")
        let dry = try Program.named("make", ["-C", folder, "-n", "test"])
        #expect(try await dry.exitCode() == 0, "\(dry.errors.events)")
        let calls = dry.output.events.filter {
            $0.contains("swift build ") || $0.contains("swift test ")
        }
        try #require(calls.count == 2, "\(calls)")
        #expect(calls[0].contains("--build-tests") && calls[0].contains("tee .build/tests.log"))
        #expect(calls[1].contains("swift test") && calls[1].contains("--skip-build"))
        let help = try Program.named("make", ["-C", folder, "help"])
        #expect(try await help.exitCode() == 0, "\(help.errors.events)")
        let named = help.output.events.compactMap { line in
            line.hasPrefix("make ") ? String(line.split(separator: " ")[1]) : nil
        }
        let makefile = try String(contentsOfFile: SourceTree.path("Makefile"), encoding: .utf8)
        let phony = makefile.split(separator: "\n").filter { $0.hasPrefix(".PHONY: ") }
        let targets = phony.flatMap { $0.split(separator: " ").dropFirst() }.map(String.init)
        let forPeople = targets.filter { !$0.hasPrefix("packages") && $0 != "swift" }
        #expect(forPeople.count > 30)
        #expect(named.sorted() == forPeople.sorted())
    }

    @Test(
        "make test builds whole modules where nothing is built, and goes on with what is",
        arguments: [false, true]
    )
    func wholeModules(isBuilt: Bool) async throws {
        let folder = ScenarioFolder()
        if isBuilt { try folder.write("", to: ".build/debug/belfry") }
        let dry = try Program.named(
            "make",
            ["-C", folder.path, "-f", SourceTree.path("Makefile"), "-n", "test"]
        )
        #expect(try await dry.exitCode() == 0, "\(dry.errors.events)")
        let calls = dry.output.events.filter {
            $0.contains("swift build ") || $0.contains("swift test ")
        }
        try #require(calls.count == 2, "\(calls)")
        for call in calls {
            #expect(call.contains("--scratch-path .build ") == isBuilt, "\(call)")
            #expect(call.contains("--scratch-path .build-whole ") != isBuilt, "\(call)")
            #expect(call.contains(" -wmo ") != isBuilt, "\(call)")
        }
    }

    @Test(
        "make demo takes the build that is there, that for every day first",
        arguments: [
            ([], ".build"), ([".build"], ".build"), ([".build-whole"], ".build-whole"),
            ([".build", ".build-whole"], ".build"),
        ] as [([String], String)]
    )
    func shown(_ built: [String], _ expected: String) async throws {
        let folder = ScenarioFolder()
        for place in built { try folder.write("", to: "\(place)/debug/belfry") }
        let dry = try Program.named(
            "make",
            ["-C", folder.path, "-f", SourceTree.path("Makefile"), "-n", "demo"]
        )
        #expect(try await dry.exitCode() == 0, "\(dry.errors.events)")
        let lines = dry.output.events
        #expect(lines.contains("\(expected)/debug/belfry demo --quiet"), "\(lines)")
    }

    @Test("make install goes below DESTDIR and PREFIX, and the service starts what it puts there")
    func install() async throws {
        let folder = SourceTree.path(".")
        let dry = try Program.named(
            "make",
            ["-C", folder, "-n", "install", "DESTDIR=/nowhere", "PREFIX=/opt/hub"]
        )
        #expect(try await dry.exitCode() == 0, "\(dry.errors.events)")
        let lines = dry.output.events.joined(separator: "\n")
        #expect(
            lines.contains("--static-swift-stdlib")
                && lines.contains("'/nowhere/opt/hub/bin/belfry'")
        )
        #expect(lines.contains("s|/usr/local|/opt/hub|"))
        for file in [
            "bash-completion/completions/belfry", "zsh/site-functions/_belfry",
            "fish/vendor_completions.d/belfry.fish", "man/man1/belfry.1",
        ] {
            #expect(lines.contains("'/nowhere/opt/hub/share/\(file)'"), "\(file)")
        }
        let unit = try String(contentsOfFile: folder + "/Sources/belfry.service", encoding: .utf8)
        #expect(
            unit.contains("\nExecStart=/usr/local/bin/belfry serve --data ${STATE_DIRECTORY}\n")
        )
    }

    @Test("make uninstall removes what make install put there, and nothing else")
    func uninstall() async throws {
        let folder = SourceTree.path(".")
        let places = ["DESTDIR=/nowhere", "PREFIX=/opt/hub"]
        var files: [[Substring]] = []
        for goal in ["install", "uninstall"] {
            let dry = try Program.named("make", ["-C", folder, "-n", goal] + places)
            #expect(try await dry.exitCode() == 0, "\(dry.errors.events)")
            let text = dry.output.events.joined(separator: "\n")
            files.append(text.matches(of: /\/nowhere\/opt\/hub\/[^ ';"]+/).map(\.output))
        }
        // One command installs two files of a folder.
        let alarms = ["alerts.yml", "dashboard.json"].map { "/nowhere/opt/hub/share/belfry/\($0)" }
        #expect(Set(files[0]).union(alarms.map { $0[...] }) == Set(files[1]))
    }

    /// The commands of the handbook's table, as they are typed.
    private static func tabled() throws -> [String] {
        try page("Commands.md").split(separator: "\n").filter { $0.hasPrefix("| `belfry ") }
            .map { String($0.split(separator: "`")[1]) }
    }

    @Test("completion knows every command", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) async throws {
        let script = try Program(Self.belfry(), ["--generate-completion-script", shell])
        #expect(try await script.exitCode() == 0)
        let text = script.output.events.joined(separator: "\n")
        for name in try Self.tabled() {
            let word = name.split(separator: " ").last.map(String.init) ?? name
            #expect(text.contains(word), "\(name)")
        }
    }

    @Test("the manual page knows every command")
    func manual() async throws {
        let manual = try Program.named("python3", [SourceTree.path(".ci/man"), Self.belfry()])
        #expect(try await manual.exitCode() == 0, "\(manual.errors.events)")
        let page = manual.output.events
        #expect(page.first?.hasPrefix(".TH BELFRY 1 ") == true)
        for name in try Self.tabled() {
            #expect(page.contains(".SS " + name.replacing("-", with: #"\-"#)), "\(name)")
        }
        #expect(page.contains(#".B \-\-data <data>"#), "\(page)")
    }

    @Test("every command that the handbook lists explains itself")
    func commands() async throws {
        let rows = try Self.page("Commands.md").split(separator: "\n").filter {
            $0.hasPrefix("| `belfry ")
        }
        try #require(rows.count > 5)
        let entries = CommandTree.entries
        for row in rows {
            let words = row.split(separator: "`")[1].split(separator: " ").dropFirst()
            let entry = entries.first { $0.words == words.map(String.init) }
            #expect(entry?.help.contains("USAGE: belfry") == true, "\(words)")
        }
        let help = try Program(Self.belfry(), ["serve", "--help"])
        #expect(try await help.exitCode() == 0)
        #expect(help.output.events.contains { $0.contains("USAGE: belfry serve") })
        let wrong = try Program(Self.belfry(), ["serve"])
        #expect(try await wrong.exitCode() == 64)
    }
}
