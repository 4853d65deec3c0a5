/// What other targets use is described where it is declared.
///
/// Cases need nothing of their own, nor does what carries out a protocol of ours: the requirement is
/// documented. Neither do witnesses of well-known requirements.
enum DocumentationRule {
    private static let declarations: Set<String> = [
        "func", "var", "let", "init", "struct", "enum", "class", "protocol", "typealias",
        "subscript", "actor", "associatedtype", "macro",
    ]
    private static let modifiers: Set<String> = [
        "package", "public", "private", "fileprivate", "internal", "open", "static", "final",
        "mutating", "nonmutating", "consuming", "borrowing", "nonisolated", "override", "required",
        "convenience", "lazy", "weak", "unowned", "indirect", "prefix", "postfix", "infix",
        "isolated", "dynamic", "optional", "async",
    ]
    /// Names whose meaning the standard library has already described.
    private static let witnesses: Set<String> = [
        "description", "debugDescription", "hash", "=", "<", "rawValue", "errorDescription",
        "encode", "customMirror",
    ]

    /// The names that each protocol of these files asks for.
    static func requirements(of files: [SourceFile]) -> [String: Set<String>] {
        var names: [String: Set<String>] = [:]
        for file in files {
            for index in file.tokens.indices.dropLast()
            where file.tokens[index].kind == .word && file.tokens[index].text == "protocol" {
                let name = file.tokens[index + 1].text
                for requirement in requirements(file, of: index) {
                    names[name, default: []].insert(file.tokens[requirement + 1].text)
                }
            }
        }
        return names
    }

    static func check(_ file: SourceFile, protocols: [String: Set<String>] = [:]) -> [Finding] {
        var findings: [Finding] = []
        let tokens = file.tokens
        for index in tokens.indices where tokens[index].kind == .word {
            guard tokens[index].text == "package" || tokens[index].text == "public",
                let keyword = declaration(tokens, after: index)
            else { continue }
            if needsComment(tokens, keyword), !isDocumented(tokens, before: index) {
                let promised = conformances(tokens, around: index).flatMap { protocols[$0] ?? [] }
                if keyword + 1 < tokens.count, promised.contains(tokens[keyword + 1].text) {
                    continue
                }
                findings.append(file.finding(tokens[index].line, message(tokens, keyword)))
            }
            guard tokens[keyword].text == "protocol" else { continue }
            for requirement in requirements(file, of: keyword)
            where !isDocumented(tokens, before: requirement) {
                findings.append(
                    file.finding(tokens[requirement].line, message(tokens, requirement))
                )
            }
        }
        return findings
    }

    private static func message(_ tokens: [Token], _ keyword: Int) -> String {
        let word = tokens[keyword].text
        let name =
            keyword + 1 < tokens.count && word != "init" ? " \(tokens[keyword + 1].text)" : ""
        return "\(word)\(name) has no documentation comment"
    }

    /// The keyword of the declaration that a modifier belongs to; nil for an import or an extension.
    private static func declaration(_ tokens: [Token], after start: Int) -> Int? {
        var index = start + 1
        while index < tokens.count {
            let token = tokens[index]
            if token.text == "(" {
                index = closing(tokens, index) + 1
                continue
            }
            if token.text == "class", index + 1 < tokens.count,
                ["func", "var", "subscript"].contains(tokens[index + 1].text)
            {
                return index + 1
            }
            if declarations.contains(token.text) { return index }
            guard token.kind == .word, modifiers.contains(token.text) || token.text.hasPrefix("@")
            else { return nil }
            index += 1
        }
        return nil
    }

    private static func needsComment(_ tokens: [Token], _ keyword: Int) -> Bool {
        guard keyword + 1 < tokens.count else { return true }
        if tokens[keyword].text == "init", keyword + 2 < tokens.count {
            return !["from", "rawValue"].contains(tokens[keyword + 2].text)
        }
        return !witnesses.contains(tokens[keyword + 1].text)
    }

    private static func closing(_ tokens: [Token], _ open: Int) -> Int {
        var depth = 0
        for index in open..<tokens.count {
            if tokens[index].text == "(" { depth += 1 }
            if tokens[index].text == ")" {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return tokens.count - 1
    }

    /// Whether a documentation comment stands in front, with attributes and modifiers between.
    private static func isDocumented(_ tokens: [Token], before start: Int) -> Bool {
        var index = start - 1
        while index >= 0 {
            let token = tokens[index]
            switch token.kind {
            case .documentation: return true
            case .comment: break
            case .word:
                guard modifiers.contains(token.text) || token.text.hasPrefix("@") else {
                    return false
                }
            case .mark where token.text == ")":
                var depth = 0
                repeat {
                    if tokens[index].text == ")" { depth += 1 }
                    if tokens[index].text == "(" { depth -= 1 }
                    index -= 1
                } while depth > 0 && index >= 0
                let owner = index >= 0 ? tokens[index].text : ""
                guard owner.hasPrefix("@") || modifiers.contains(owner) else { return false }
            case .mark, .string: return false
            }
            index -= 1
        }
        return false
    }

    /// The words behind the colon of the type or extension around a place.
    private static func conformances(_ tokens: [Token], around start: Int) -> [String] {
        var depth = 0
        var index = start - 1
        while index >= 0 {
            if tokens[index].kind == .mark, ["}", ")", "]"].contains(tokens[index].text) {
                depth += 1
            }
            if tokens[index].kind == .mark, ["{", "(", "["].contains(tokens[index].text) {
                depth -= 1
            }
            if depth < 0 { break }
            index -= 1
        }
        var words: [String] = []
        let types: Set<String> = ["struct", "class", "enum", "actor", "extension"]
        while index >= 0, !types.contains(tokens[index].text), tokens[index].text != "}" {
            if tokens[index].kind == .word { words.append(tokens[index].text) }
            index -= 1
        }
        return words
    }

    /// Where a protocol asks for something; requirements have no access word of their own.
    private static func requirements(_ file: SourceFile, of keyword: Int) -> [Int] {
        let tokens = file.tokens
        var found: [Int] = []
        guard var index = tokens[keyword...].firstIndex(where: { $0.text == "{" }) else {
            return []
        }
        var depth = 0
        repeat {
            if tokens[index].kind == .mark {
                if ["{", "(", "["].contains(tokens[index].text) { depth += 1 }
                if ["}", ")", "]"].contains(tokens[index].text) { depth -= 1 }
            } else if depth == 1, tokens[index].kind == .word,
                ["func", "var", "init", "subscript", "associatedtype"].contains(tokens[index].text)
            {
                found.append(index)
            }
            index += 1
        } while depth > 0 && index < tokens.count
        return found
    }
}
