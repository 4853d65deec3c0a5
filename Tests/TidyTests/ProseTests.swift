import Testing

/// What documents and comments say can be read once and understood.
@Suite("Prose")
struct ProseTests {
    /// As long as it must be.
    static let specification = "Protocol/README.md"
    static let documents = Repository.files.filter { $0.hasSuffix(".md") }

    @Test("a page answers one question, so it is short")
    func pages() {
        let offences = Self.documents.filter { $0 != Self.specification }.compactMap { name in
            ProseRule.page(name, bytes: Repository.document(name).utf8.count)
        }
        expectNone(offences.map(\.place))
        let readme = ProseRule.page("README.md", bytes: 9_217)?.place.message
        #expect(readme == "9217 bytes, 9216 at most")
        #expect(ProseRule.page("README.md", bytes: 9_216) == nil)
        #expect(ProseRule.page("Sources/README.md", bytes: 14_336) == nil)
    }

    @Test("documents have short sentences, each with somebody who acts")
    func documents() {
        var (words, long): ([Offence], [Offence]) = ([], [])
        for name in Self.documents {
            let sentences = ProseRule.document(Repository.document(name))
            words += ProseRule.check(sentences, file: name, key: name)
            long += ProseRule.long(sentences, file: name)
        }
        let comments = Repository.swift(below: "Sources").flatMap { file in
            ProseRule.check(ProseRule.comments(file), file: file.name, key: file.base)
        }
        expectNone((words + comments).map(\.place))
        expectNone(long.map(\.place))
    }

    @Test("all other comments say who acts")
    func comments() {
        func offences(_ folder: String, _ kinds: [Token.Kind]) -> [Offence] {
            Repository.swift(below: folder).flatMap { file in
                kinds.flatMap { kind in
                    ProseRule.check(
                        ProseRule.comments(file, kind),
                        file: file.name,
                        key: file.base,
                        hasSubjects: false
                    )
                }
            }
        }
        let found =
            offences("Sources", [.comment]) + offences("Tests", [.comment, .documentation])
            + offences("Fuzz", [.comment, .documentation])
        expectNone(found.map(\.place))
    }

    @Test("sentences are found in paragraphs, lists and cells, without headings and code")
    func reading() {
        let text = """
            # What is a heading
            One `two three` [four](five/six.md),
            don't. **Seven.** Eight 1.5?

            - What nine
            | ten. | eleven |
            ```
            what code
            ```
            """
        let found = ProseRule.document(text)
        #expect(
            found.map { $0.words.joined(separator: " ") } == [
                "one ` four dont", "seven", "eight 1 5", "what nine", "ten", "eleven",
            ]
        )
        #expect(found.map(\.line) == [2, 3, 3, 5, 6, 6])
        #expect(found.map(\.isQuestion) == [false, false, true, false, false, false])
    }

    @Test("the rule of words sees each pattern and lets questions pass")
    func wordsCanFail() {
        let sample = """
            /// What is left. What is left? Nobody
            /// waits for a list of which
            /// three stay.
            // Nobody documents this.
            let a = 1
            /// Whose it is none of them says, whoever asks.
            let b = 2
            """
        let file = SourceFile(name: "A", text: sample, language: .swift)
        let found = ProseRule.check(ProseRule.comments(file), file: "A", key: "A")
        #expect(
            found.map { "\($0.place.line): \($0.place.message)" } == [
                "1: a sentence with the subject 'what'", "1: says 'nobody'", "6: says 'whoever'",
            ]
        )
        let other = ProseRule.comments(file, .comment)
        #expect(ProseRule.check(other, file: "A", key: "A").map(\.place.line) == [4])
        let phrase = [ProseRule.Sentence(line: 1, words: ["what", "is", "left"])]
        #expect(ProseRule.check(phrase, file: "A", key: "A", hasSubjects: false).isEmpty)
        for pattern in ProseRule.patterns {
            let sentence = ProseRule.Sentence(line: 1, words: ["a"] + pattern + ["b"])
            #expect(ProseRule.check([sentence], file: "A", key: "A").count == 1, "\(pattern)")
        }
    }

    @Test("the rule of sentences counts words")
    func sentencesCanFail() {
        let fitting = String(repeating: "word ", count: 40)
        #expect(ProseRule.long(ProseRule.document(fitting + "."), file: "a").isEmpty)
        #expect(ProseRule.long(ProseRule.document(fitting + "more."), file: "a").count == 1)
    }
}
