/// A piece of source text.
struct Token: Equatable {
    enum Kind: Equatable {
        /// An identifier, keyword or number; with `@` or `#` in front where it stands there.
        case word
        /// One character of anything else.
        case mark
        /// A string literal; its text is the content without quotes.
        case string
        case comment
        /// A comment that documents what follows.
        case documentation
    }

    let kind: Kind
    let text: String
    /// The line of its first character, from 1.
    let line: Int
}

/// A file as tokens, so that rules are not fooled by strings and comments.
struct SourceFile: Sendable {
    enum Language: Sendable { case swift, c }

    let name: String
    let text: String
    let language: Language
    /// Code and comments, in order.
    let tokens: [Token]
    /// Code alone, in order.
    let code: [Token]
    let lines: Int

    init(name: String, text: String, language: Language) {
        self.name = name
        self.text = text
        self.language = language
        var scanner = SourceScanner(text, language: language)
        tokens = scanner.tokens()
        code = tokens.filter { $0.kind != .comment && $0.kind != .documentation }
        lines = scanner.line - (text.isEmpty || text.utf8.last == 10 ? 1 : 0)
    }

    /// The name without its folder.
    var base: String { String(name.split(separator: "/").last ?? "") }

    func finding(_ line: Int, _ message: String) -> Finding {
        Finding(file: name, line: line, message: message)
    }

    /// Where in `code` the bracket at an index is closed; the last index where it never is.
    func end(ofBracketAt start: Int) -> Int {
        var depth = 0
        for index in start..<code.count where code[index].kind == .mark {
            switch code[index].text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
        }
        return code.count - 1
    }
}

extension Token: Sendable {}
extension Token.Kind: Sendable {}
