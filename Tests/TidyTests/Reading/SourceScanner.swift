/// Cuts source text into tokens: nested comments, raw and long strings, interpolation.
struct SourceScanner {
    private let bytes: [UInt8]
    private let language: SourceFile.Language
    private var at = 0
    /// Where it is, from 1.
    private(set) var line = 1
    private var found: [Token] = []

    init(_ text: String, language: SourceFile.Language) {
        bytes = Array(text.utf8)
        self.language = language
    }

    mutating func tokens() -> [Token] {
        scan(untilClosing: false)
        return found
    }

    /// Scans code to the end, or to the parenthesis that closes an interpolation.
    private mutating func scan(untilClosing: Bool) {
        var depth = 0
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
                lineComment()
            } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                blockComment()
            } else if let pounds = poundsOfString() {
                string(pounds: pounds)
            } else if byte == UInt8(ascii: "'"), language == .c {
                character()
            } else if isWordStart(byte) {
                word()
            } else if byte == UInt8(ascii: " ") || byte == 9 || byte == 13 {
                at += 1
            } else if byte == 10 {
                advance()
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if untilClosing, depth < 0 { return }
                let start = at
                advance()
                while at < bytes.count, bytes[at] & 0xC0 == 0x80 { advance() }
                add(.mark, start, at, line)
            }
        }
    }

    private mutating func lineComment() {
        let start = at
        while at < bytes.count, bytes[at] != 10 { at += 1 }
        let isDocumentation = start + 2 < at && bytes[start + 2] == UInt8(ascii: "/")
        add(isDocumentation ? .documentation : .comment, start, at, line)
    }

    private mutating func blockComment() {
        let start = at
        let first = line
        var depth = 0
        repeat {
            if bytes[at] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth = language == .swift ? depth + 1 : 1
                advance(2)
            } else if bytes[at] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0 && at < bytes.count
        let isDocumentation = at - start > 4 && bytes[start + 2] == UInt8(ascii: "*")
        add(isDocumentation ? .documentation : .comment, start, at, first)
    }

    /// How many `#` stand in front of a string that begins here; nil where none begins.
    private func poundsOfString() -> Int? {
        var pounds = 0
        while language == .swift, peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
        return peek(pounds) == UInt8(ascii: "\"") ? pounds : nil
    }

    private mutating func string(pounds: Int) {
        let first = line
        advance(pounds)
        let isLong =
            language == .swift && peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
        let quotes = isLong ? 3 : 1
        advance(quotes)
        let start = at
        let place = found.count
        while at < bytes.count, !closes(quotes: quotes, pounds: pounds) {
            guard bytes[at] == UInt8(ascii: "\\"), escapes(pounds: pounds) else {
                advance()
                continue
            }
            advance(1 + pounds)
            if language == .swift, peek(0) == UInt8(ascii: "(") {
                advance()
                scan(untilClosing: true)
            }
            advance()
        }
        let content = String(decoding: bytes[start..<min(at, bytes.count)], as: UTF8.self)
        found.insert(Token(kind: .string, text: content, line: first), at: place)
        advance(quotes + pounds)
    }

    private func closes(quotes: Int, pounds: Int) -> Bool {
        bytes[at] == UInt8(ascii: "\"")
            && (1..<quotes).allSatisfy { peek($0) == UInt8(ascii: "\"") }
            && (0..<pounds).allSatisfy { peek(quotes + $0) == UInt8(ascii: "#") }
    }

    private func escapes(pounds: Int) -> Bool {
        (0..<pounds).allSatisfy { peek(1 + $0) == UInt8(ascii: "#") }
    }

    private mutating func character() {
        let start = at
        advance()
        while at < bytes.count, bytes[at] != UInt8(ascii: "'"), bytes[at] != 10 {
            advance(bytes[at] == UInt8(ascii: "\\") ? 2 : 1)
        }
        advance()
        add(.string, start, min(at, bytes.count), line)
    }

    private mutating func word() {
        let start = at
        at += 1
        while at < bytes.count, isWordPart(bytes[at]) { at += 1 }
        add(.word, start, at, line)
    }

    private func isWordStart(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "#") {
            return peek(1).map(isWordPart) ?? false
        }
        return isWordPart(byte) || byte == UInt8(ascii: "`")
    }

    private func isWordPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"):
            true
        default: false
        }
    }

    private func peek(_ distance: Int) -> UInt8? {
        at + distance < bytes.count ? bytes[at + distance] : nil
    }

    private mutating func advance(_ count: Int = 1) {
        let end = min(at + count, bytes.count)
        while at < end {
            if bytes[at] == 10 { line += 1 }
            at += 1
        }
    }

    private mutating func add(_ kind: Token.Kind, _ start: Int, _ end: Int, _ line: Int) {
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        found.append(Token(kind: kind, text: text, line: line))
    }
}
