import Testing

/// Rules of shape, held against every file; beside each a sample that shows the rule can fail.
@Suite("The tree")
struct TreeTests {
    @Test("there are files to check")
    func readsTheTree() {
        #expect(Repository.swift.count > 200, "found \(Repository.swift.count) files")
        #expect(Repository.c.count > 2)
        #expect(Repository.files.contains("Package.swift"))
    }

    @Test("no file passes 600 lines and no function 60")
    func lengths() {
        let findings = (Repository.swift + Repository.c).flatMap(LengthRule.check)
        expectNone(findings)
    }

    @Test("the length rule sees long files and functions, in Swift and in C")
    func lengthsCanFail() {
        let long = String(repeating: "    call(\"}\")  // }\n", count: 60)
        let function =
            "struct A {\n    func b<C>(_ d: (C) -> Int = { 1 }) -> [C] {\n\(long)    }\n}\n"
        #expect(messages(LengthRule.check, function) == ["2: func b: 62 lines, 60 at most"])
        let fitting = function.replacing("    call(\"}\")  // }\n    call(\"}\")  // }\n", with: "")
        #expect(messages(LengthRule.check, fitting) == [])
        let property = "var a: Int {\n\(long)}\nprotocol P { func b() -> Int }\n"
        #expect(messages(LengthRule.check, property) == ["1: var a: 62 lines, 60 at most"])
        let main = "static struct s x = { 1 };\nint main(int c,\n         char **v) {\n\(long)}\n"
        #expect(messages(LengthRule.check, main, .c) == ["2: main: 63 lines, 60 at most"])
        let file = String(repeating: "\n", count: 601)
        #expect(messages(LengthRule.check, file) == ["1: 601 lines, 600 at most"])
    }

    @Test("no target passes 7,500 lines")
    func targets() {
        expectNone(
            Manifest.targets.filter { $0.folder.hasPrefix("Sources/") }.flatMap { target in
                LengthRule.check(target: target.name, Repository.swift(below: target.folder))
            }
        )
    }

    @Test("the rule of targets sees one that is too long")
    func targetsCanFail() {
        let file = { (lines: Int) in
            SourceFile(
                name: "\(lines)",
                text: String(repeating: "\n", count: lines),
                language: .swift
            )
        }
        #expect(LengthRule.check(target: "A", [file(7_000), file(500)]) == [])
        let found = LengthRule.check(target: "A", [file(7_000), file(501)])
        #expect(found.map(\.message) == ["A: 7501 lines, 7500 at most"])
    }

    @Test("what other targets use is documented")
    func documentation() {
        let protocols = DocumentationRule.requirements(of: Repository.swift)
        #expect(protocols.count > 5)
        let findings = Repository.swift.flatMap { file in
            DocumentationRule.check(file, protocols: protocols)
        }
        expectNone(findings)
    }

    @Test("the documentation rule sees what has no comment")
    func documentationCanFail() {
        let sample = """
            /// A.
            package enum A {
                case b
                package static let c = "/// no comment"
                /// D.
                @inlinable @available(*, deprecated)
                package private(set) var d: Int
                // Not documentation.
                @discardableResult package func e() {}
            }
            package protocol F {
                func g()
                /// H.
                var h: Int { get }
            }
            package import Testing
            /// I.
            package struct I: F {
                package init() {}
                package func g() {}
                package func k() {}
            }
            """
        let file = SourceFile(name: "Sample", text: sample, language: .swift)
        let protocols = DocumentationRule.requirements(of: [file])
        #expect(protocols == ["F": ["g", "h"]])
        let check = { DocumentationRule.check($0, protocols: protocols) }
        #expect(
            messages(check, sample) == [
                "4: let c has no documentation comment", "9: func e has no documentation comment",
                "11: protocol F has no documentation comment",
                "12: func g has no documentation comment", "19: init has no documentation comment",
                "21: func k has no documentation comment",
            ]
        )
    }

    @Test("a task in a comment names who has it")
    func tasks() {
        let findings = (Repository.swift + Repository.c).flatMap(TextRule.unownedTasks)
        expectNone(findings)
    }

    @Test("the task rule sees one that nobody has")
    func tasksCanFail() {
        let word = "TO" + "DO"
        let sample = "// \(word): later\n/// \(word)(ada): now\nlet text = \"\(word)\"\n"
        #expect(messages(TextRule.unownedTasks, sample) == ["1: \(word) names nobody"])
    }

    @Test("no test sleeps, spins, or waits without a deadline")
    func waits() {
        let findings = Repository.swift(below: "Tests").flatMap(WaitRule.check)
        expectNone(findings)
    }

    @Test("the rule of waits sees every kind of sleep and spin, and no talk of them")
    func waitsCanFail() {
        let sample = """
            // sleep(1) would be wrong
            try await Task.sleep(for: .seconds(1))
            let text = "usleep(1) \\(usleep(2))"
            while a({ 1 }) { await Task.yield() }
            for d in e { sched_yield() }
            f.wait(); g.wait(timeout: h); wait()
            while i.load(j) < k {}
            repeat {} while !m.load({}); while try store.tidy() {}
            repeat { feed.yield(1) } while n({}) == [o]
            p.waitUntilExit(); q.readDataToEndOfFile(); try r.readToEnd()
            _ = s.availableData; t.isEmpty
            """
        #expect(
            messages(WaitRule.check, sample) == [
                "2: 'sleep' in a test", "3: 'usleep' in a test",
                "4: a yield, which waits for nothing; use 'eventually'",
                "5: a yield, which waits for nothing; use 'eventually'",
                "6: a wait without a deadline", "7: a loop that does nothing; use 'eventually'",
                "8: a loop that does nothing; use 'eventually'",
                "10: 'readDataToEndOfFile' without a limit; use 'Process.end'",
                "10: 'readToEnd' without a limit; use 'Process.end'",
                "10: 'waitUntilExit' without a limit; use 'Process.end'",
                "11: 'availableData' without a limit; use 'FileHandle.next' or '.hear'",
            ]
        )
    }

    @Test("percent coding, hex and base64 are written once")
    func codings() {
        let findings = Repository.swift(below: "Sources").flatMap(CodingRule.check)
        expectNone(findings)
    }

    @Test("the rule of codings sees those of the libraries, and no talk of them")
    func codingsCanFail() {
        let sample = """
            // base64EncodedString() would be another one
            let text = data.base64EncodedString() + Base64.encode(bytes)
            let back = Data(base64Encoded: text), isHex = a.isHexDigit
            """
        #expect(
            messages(CodingRule.check, sample) == [
                "2: 'base64EncodedString'; use 'HubVocabulary/Text'",
                "3: 'base64Encoded'; use 'HubVocabulary/Text'",
                "3: 'isHexDigit'; use 'HubVocabulary/Text'",
            ]
        )
    }

    @Test("each place that ends the process has a reason why no stranger reaches it")
    func traps() {
        let text = Repository.document(TrapRule.page)
        #expect(TrapRule.listed(text).count > 80)
        expectNone(TrapRule.check(Repository.swift(below: "Sources"), text))
    }

    @Test("the rule of such places counts them in each file, and not in comments and strings")
    func trapsCanFail() {
        let sample = """
            // precondition(false)
            let text = "fatalError()"
            precondition(a); preconditionFailure("b"); c.precondition(d)
            func abort() {}
            let e = try! f() as! G; try? h() as? I
            if try !j() {}
            """
        let file = SourceFile(name: "Sources/A/B.swift", text: sample, language: .swift)
        #expect(TrapRule.traps(in: file) == 4)
        func check(_ row: String) -> [String] {
            let head = "| files | why no stranger gets there |\n|---|---|\n"
            return TrapRule.check([file], head + row).map(\.message)
        }
        #expect(check("| `A/B.swift` × 4 | so |\n") == [])
        #expect(
            check("| `A/B.swift` × 3 | so |\n") == [
                "A/B.swift has 4 places that end the process, not 3"
            ]
        )
        #expect(check("| `A/B.swift` × 4, `A/C.swift` | so |\n").count == 1)
        let unknown = "4 places end the process, and \(TrapRule.page) says nothing of them"
        #expect(check("") == [unknown])
    }

    @Test("no file names the machine it was written on")
    func foreignWords() {
        let findings = Repository.files.flatMap { name in
            TextRule.foreignWords(in: Repository.text(name) ?? "", file: name)
        }
        expectNone(findings)
    }

    @Test("the rule of foreign words sees them anywhere in a line")
    func foreignWordsCanFail() {
        for word in TextRule.foreignWords {
            let findings = TextRule.foreignWords(in: "one\nsee \(word)notes.md\n", file: "a.md")
            #expect(findings.map(\.line) == [2], "\(word)")
        }
    }
}

/// What a rule says of a sample: line and message, in order.
func messages(
    _ rule: (SourceFile) -> [Finding],
    _ text: String,
    _ language: SourceFile.Language = .swift
) -> [String] {
    let file = SourceFile(name: "Sample", text: text, language: language)
    return rule(file).sorted().map { "\($0.line): \($0.message)" }
}
