/// A test waits for events, or with `eventually`; it neither sleeps nor spins, and it cannot hang.
enum WaitRule {
    /// Where the pause between two looks stands, and the limit of a child's life.
    static let helpers: Set = [
        "Tests/Support/HubTestSupport/Ending.swift",
        "Tests/Support/HubTestSupport/Eventually.swift",
        "Tests/Support/HubTestSupport/Hearing.swift",
    ]

    private static let sleeps: Set = ["sleep", "usleep", "nanosleep"]
    private static let readsWithoutLimit: Set = [
        "waitUntilExit", "readDataToEndOfFile", "readToEnd",
    ]
    private static let looks: Set = ["load", "withLock", "isRunning"]

    static func check(_ file: SourceFile) -> [Finding] {
        guard !helpers.contains(file.name) else { return [] }
        let code = file.code
        return code.indices.dropLast(2).filter { code[$0].kind == .word }.compactMap { index in
            offence(file, index).map { file.finding(code[index].line, $0) }
        }
    }

    private static func offence(_ file: SourceFile, _ index: Int) -> String? {
        let code = file.code
        let (word, next) = (code[index].text, code[index + 1].text)
        let before = index > 0 ? code[index - 1].text : ""
        if sleeps.contains(word), next == "(", before != "func" { return "'\(word)' in a test" }
        if word == "wait", before == ".", next == "(", code[index + 2].text == ")" {
            return "a wait without a deadline"
        }
        if readsWithoutLimit.contains(word), next == "(" {
            return "'\(word)' without a limit; use 'Process.end'"
        }
        if word == "availableData", before == "." {
            return "'availableData' without a limit; use 'FileHandle.next' or '.hear'"
        }
        if word == "sched_yield" || word == "yield" && before == "." && isTask(code, index - 2) {
            return "a yield, which waits for nothing; use 'eventually'"
        }
        if ["while", "repeat"].contains(word), !isEndOfRepeat(code, index), isSpin(file, index) {
            return "a loop that does nothing; use 'eventually'"
        }
        return nil
    }

    private static func isTask(_ code: [Token], _ index: Int) -> Bool {
        code.indices.contains(index) && code[index].text == "Task"
    }

    /// Whether a `while` stands behind the body of its `repeat`.
    private static func isEndOfRepeat(_ code: [Token], _ index: Int) -> Bool {
        index > 0 && code[index - 1].text == "}" && code[index - 1].line == code[index].line
    }

    /// Whether a loop only looks at what another thread changes.
    private static func isSpin(_ file: SourceFile, _ start: Int) -> Bool {
        let code = file.code
        var index = start + 1
        while index < code.count {
            switch code[index].text {
            case "{":
                let condition = code[(start + 1)..<index].map(\.text)
                return file.end(ofBracketAt: index) == index + 1
                    && (condition.isEmpty || !looks.isDisjoint(with: condition))
            case "(", "[": index = file.end(ofBracketAt: index) + 1
            case "}", ")", "]": return false
            default: index += 1
            }
        }
        return false
    }
}
