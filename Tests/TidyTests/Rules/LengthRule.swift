/// A target, a file and a function must fit a reader.
enum LengthRule {
    static let linesOfFileMax = 600
    static let linesOfFunctionMax = 60
    static let linesOfTargetMax = 7_500

    /// Whether the files of a target are one room or should be two.
    static func check(target name: String, _ files: [SourceFile]) -> [Finding] {
        let lines = files.reduce(0) { $0 + $1.lines }
        guard lines > linesOfTargetMax else { return [] }
        let message = "\(name): \(lines) lines, \(linesOfTargetMax) at most"
        return [Finding(file: TargetTable.file, line: 1, message: message)]
    }

    static func check(_ file: SourceFile) -> [Finding] {
        var findings: [Finding] = []
        if file.lines > linesOfFileMax {
            findings.append(file.finding(1, "\(file.lines) lines, \(linesOfFileMax) at most"))
        }
        for body in file.language == .swift ? swiftFunctions(file) : cFunctions(file) {
            let lines = body.last - body.first + 1
            guard lines > linesOfFunctionMax else { continue }
            findings.append(
                file.finding(
                    body.first,
                    "\(body.name): \(lines) lines, \(linesOfFunctionMax) at most"
                )
            )
        }
        return findings
    }

    private struct Function {
        let name: String
        let first: Int
        let last: Int
    }

    private static func swiftFunctions(_ file: SourceFile) -> [Function] {
        let code = file.code
        var functions: [Function] = []
        for index in code.indices where code[index].kind == .word {
            let word = code[index].text
            guard ["func", "init", "deinit", "subscript", "var"].contains(word) else { continue }
            if index > 0, code[index - 1].text == "." { continue }
            guard let brace = body(file, after: index, staysOnLine: word == "var") else { continue }
            let end = code[file.end(ofBracketAt: brace)].line
            let isNamed = (word == "func" || word == "var") && index + 1 < code.count
            let name = isNamed ? "\(word) \(code[index + 1].text)" : word
            functions.append(Function(name: name, first: code[index].line, last: end))
        }
        return functions
    }

    /// Where the body of the declaration at `start` opens; nil where it has none.
    private static func body(_ file: SourceFile, after start: Int, staysOnLine: Bool) -> Int? {
        let code = file.code
        let declarations: Set<String> = [
            "func", "var", "let", "init", "deinit", "subscript", "case", "struct", "enum", "class",
            "extension", "protocol", "typealias", "associatedtype", "return", "import",
        ]
        var index = start + 1
        while index < code.count {
            let token = code[index]
            if staysOnLine, token.line != code[index - 1].line, token.text != "{",
                ![":", ",", "="].contains(code[index - 1].text)
            {
                return nil
            }
            if token.kind == .mark, ["(", "["].contains(token.text) {
                index = file.end(ofBracketAt: index)
            } else if token.kind == .mark, token.text == "{" {
                return index
            } else if token.kind == .mark, ["}", ")", "]"].contains(token.text) {
                return nil
            } else if token.kind == .word, index > start + 1, declarations.contains(token.text) {
                return nil
            }
            index += 1
        }
        return nil
    }

    /// In C, a brace at the outermost level after a parenthesis opens a function.
    private static func cFunctions(_ file: SourceFile) -> [Function] {
        let code = file.code
        var functions: [Function] = []
        var index = 0
        while index < code.count {
            if code[index].kind == .mark, code[index].text == "{" {
                let end = file.end(ofBracketAt: index)
                if index > 0, code[index - 1].text == ")" {
                    var open = index - 1
                    while open > 0, code[open].text != "(" || depth(code, open, index) > 0 {
                        open -= 1
                    }
                    let name = open > 0 ? code[open - 1].text : "function"
                    let first = open > 0 ? code[open - 1].line : code[index].line
                    functions.append(Function(name: name, first: first, last: code[end].line))
                }
                index = end
            }
            index += 1
        }
        return functions
    }

    /// How many parentheses between two places are closed but not opened.
    private static func depth(_ code: [Token], _ start: Int, _ end: Int) -> Int {
        code[start..<end].reduce(0) { depth, token in
            switch token.text {
            case "(": depth - 1
            case ")": depth + 1
            default: depth
            }
        }
    }
}
