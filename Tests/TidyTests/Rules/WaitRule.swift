/// A test waits for events, or with `eventually`; it neither sleeps nor spins, and it cannot hang.
enum WaitRule {
    /// Where the pause between two looks stands.
    static let helper = "Tests/Support/HubTestSupport/Eventually.swift"

    static func check(_ file: SourceFile) -> [Finding] {
        guard file.name != helper else { return [] }
        let code = file.code
        var findings: [Finding] = []
        var conditions: Set<Int> = []
        for index in code.indices.dropLast(2) where code[index].kind == .word {
            let (token, next) = (code[index], code[index + 1].text)
            let before = index > 0 ? code[index - 1].text : ""
            if ["sleep", "usleep", "nanosleep"].contains(token.text), next == "(", before != "func"
            {
                findings.append(file.finding(token.line, "'\(token.text)' in a test"))
            }
            if token.text == "wait", before == ".", next == "(", code[index + 2].text == ")" {
                findings.append(file.finding(token.line, "a wait without a deadline"))
            }
            // The condition behind `repeat` has no body of its own.
            if ["while", "repeat"].contains(token.text), !conditions.contains(index),
                let body = body(file, after: index),
                code[body].indices.contains(where: { isYield(code, $0) })
            {
                findings.append(file.finding(token.line, "a loop that yields; use 'eventually'"))
            }
            if token.text == "repeat", let body = body(file, after: index) {
                conditions.insert(body.upperBound + 1)
            }
        }
        return findings
    }

    private static func isYield(_ code: [Token], _ index: Int) -> Bool {
        code[index].text == "yield" && code[index - 1].text == "."
            && code[index - 2].text == "Task"
    }

    /// The braces after a loop's condition.
    private static func body(_ file: SourceFile, after start: Int) -> Range<Int>? {
        let code = file.code
        var index = start + 1
        while index < code.count {
            guard code[index].kind == .mark else {
                index += 1
                continue
            }
            switch code[index].text {
            case "{": return index..<file.end(ofBracketAt: index)
            case "(", "[": index = file.end(ofBracketAt: index) + 1
            case "}", ")", "]": return nil
            default: index += 1
            }
        }
        return nil
    }
}
