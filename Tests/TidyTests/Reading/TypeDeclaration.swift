/// A type or an extension as it stands in a file.
struct TypeDeclaration: Equatable {
    /// `struct`, `extension` and so on.
    let kind: String
    /// With the types around it: `Outer.Inner`.
    let name: String
    let isTop: Bool
    let isPrivate: Bool
    let line: Int
    /// From the keyword to the closing brace.
    let lines: Int
    /// What each value stores, by name.
    let fields: [String]
    /// What the type itself stores.
    let constants: [String]

    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "actor", "extension", "typealias",
    ]
    private static let modifiers: Set<String> = [
        "package", "public", "private", "fileprivate", "internal", "open", "static", "final",
        "lazy", "weak", "unowned", "indirect", "nonisolated", "mutating", "override", "set",
        "unsafe", "(", ")",
    ]
    private static let beginnings: Set<String> = [
        "let", "var", "func", "init", "deinit", "subscript", "case", "struct", "class", "enum",
        "protocol", "actor", "typealias", "extension", "mutating", "static", "private", "package",
        "public", "internal", "fileprivate", "override", "#if", "#endif", "#else",
    ]

    /// The declarations of a file, outer ones first.
    static func all(in file: SourceFile) -> [TypeDeclaration] {
        let code = file.code
        var found: [TypeDeclaration] = []
        var open: [(name: String, end: Int)] = []
        for index in code.indices.dropLast() where code[index].kind == .word {
            guard kinds.contains(code[index].text), code[index + 1].kind == .word,
                index == 0 || ![".", "import"].contains(code[index - 1].text),
                !["func", "var", "let", "subscript"].contains(code[index + 1].text)
            else { continue }
            while let last = open.last, last.end < index { open.removeLast() }
            var name = code[index + 1].text
            var next = index + 2
            while next + 1 < code.count, code[next].text == ".", code[next + 1].kind == .word {
                name += "." + code[next + 1].text
                next += 2
            }
            let kind = code[index].text
            let brace = kind == "typealias" ? nil : code[next...].firstIndex { $0.text == "{" }
            let end = brace.map { file.end(ofBracketAt: $0) } ?? next
            let words = modifiers(code, before: index)
            let own = brace.map { stored(file, $0, end) }
            let full = ((open.last.map { [$0.name] } ?? []) + [name]).joined(separator: ".")
            found.append(
                TypeDeclaration(
                    kind: kind,
                    name: full,
                    isTop: open.isEmpty,
                    isPrivate: !words.isDisjoint(with: ["private", "fileprivate"]),
                    line: code[index].line,
                    lines: code[min(end, code.count - 1)].line - code[index].line + 1,
                    fields: own?.fields ?? [],
                    constants: own?.constants ?? []
                )
            )
            if brace != nil { open.append((full, end)) }
        }
        return found
    }

    private static func modifiers(_ code: [Token], before index: Int) -> Set<String> {
        var words: Set<String> = []
        var place = index - 1
        while place >= 0, modifiers.contains(code[place].text) || code[place].text.hasPrefix("@") {
            words.insert(code[place].text)
            place -= 1
        }
        return words
    }

    /// The stored properties between the braces of a type.
    private static func stored(
        _ file: SourceFile,
        _ open: Int,
        _ end: Int
    ) -> (fields: [String], constants: [String]) {
        let code = file.code
        var found: (fields: [String], constants: [String]) = ([], [])
        var index = open + 1
        while index < end {
            let word = code[index].text
            if code[index].kind == .mark, ["{", "(", "["].contains(word) {
                index = file.end(ofBracketAt: index)
            } else if code[index].kind == .word, word == "let" || word == "var" {
                let names = names(file, index, end)
                if modifiers(code, before: index).contains("static") {
                    found.constants += names
                } else {
                    found.fields += names
                }
            }
            index += 1
        }
        return found
    }

    /// The names behind `let` or `var`; none where the value is computed.
    private static func names(_ file: SourceFile, _ start: Int, _ end: Int) -> [String] {
        let code = file.code
        var names = [code[start + 1].text]
        var index = start + 2
        var angles = 0
        while index < end {
            let token = code[index]
            if token.kind == .word {
                if beginnings.contains(token.text) || token.text.hasPrefix("@") { return names }
            } else if token.kind == .mark {
                switch token.text {
                case "=": return names
                case "{":
                    return ["didSet", "willSet"].contains(code[index + 1].text) ? names : []
                case "(", "[": index = file.end(ofBracketAt: index)
                case "<": angles += 1
                case ">" where code[index - 1].text != "-": angles -= 1
                case "," where angles == 0: names.append(code[index + 1].text)
                default: break
                }
            }
            index += 1
        }
        return names
    }
}
