/// Sentences that a stranger understands at the first reading.
enum ProseRule {
    static let wordsOfSentenceMax = 40

    /// Words that hide who does something, one after the other.
    static let patterns: [[String]] = [
        ["nobody"], ["somebody"], ["whoever"], ["whomever"], ["is", "none", "of"],
        ["are", "none", "of"], ["of", "which"], ["of", "whom"],
    ]
    /// Words that may begin a question, and no other sentence: they are its subject.
    static let subjects: Set<String> = ["what", "whose"]

    /// One sentence and the line it begins in.
    struct Sentence: Equatable {
        var line: Int
        var words: [String] = []
        var isQuestion = false
    }

    /// `hasSubjects` is false where a phrase may stand for a sentence, such as *what was sent*.
    static func check(
        _ sentences: [Sentence],
        file: String,
        key: String,
        hasSubjects: Bool = true
    ) -> [Offence] {
        sentences.compactMap { sentence in
            let found = patterns.first { sentence.words.contains($0) }
            let first = hasSubjects ? sentence.words.first : nil
            let subject = first.flatMap { subjects.contains($0) ? $0 : nil }
            let message: String
            if let found {
                message = "says '\(found.joined(separator: " "))'"
            } else if let subject, !sentence.isQuestion {
                message = "a sentence with the subject '\(subject)'"
            } else {
                return nil
            }
            let place = Finding(file: file, line: sentence.line, message: message)
            return Offence(key: key, place: place)
        }
    }

    static func long(_ sentences: [Sentence], file: String) -> [Offence] {
        sentences.filter { $0.words.count > wordsOfSentenceMax }.map { sentence in
            let message =
                "a sentence of \(sentence.words.count) words, \(wordsOfSentenceMax) at most"
            let place = Finding(file: file, line: sentence.line, message: message)
            return Offence(key: file, place: place)
        }
    }

    /// A document of more bytes than a page may have.
    static func page(_ name: String, bytes: Int) -> Offence? {
        let most = (name == "README.md" ? 9 : 14) * 1_024
        guard bytes > most else { return nil }
        let place = Finding(file: name, line: 1, message: "\(bytes) bytes, \(most) at most")
        return Offence(key: name, place: place, amount: bytes)
    }

    /// What comments of a kind say.
    static func comments(
        _ file: SourceFile,
        _ kind: Token.Kind = .documentation
    ) -> [Sentence] {
        var found: [Sentence] = []
        var text: [(line: Int, text: Substring)] = []
        var last = 0
        for token in file.tokens where token.kind == kind {
            if token.line != last + 1 {
                found += sentences(text)
                text = []
            }
            text.append((token.line, token.text.drop { $0 == "/" }))
            last = token.line
        }
        return found + sentences(text)
    }

    /// What a document says: no headings and no code; each cell of a table for itself.
    static func document(_ text: String) -> [Sentence] {
        var found: [Sentence] = []
        var part: [(line: Int, text: Substring)] = []
        var isCode = false
        func end() {
            found += sentences(part)
            part = []
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let bare = line.drop { $0 == " " }
            if bare.hasPrefix("```") { isCode.toggle() }
            if isCode || bare.isEmpty || bare.hasPrefix("#") || bare.hasPrefix("```") {
                end()
            } else if bare.hasPrefix("|") {
                end()
                for cell in bare.split(separator: "|") { found += sentences([(index + 1, cell)]) }
            } else {
                if bare.hasPrefix("- ") || bare.hasPrefix("* ") || bare.first?.isNumber ?? false {
                    end()
                }
                part.append((index + 1, bare))
            }
        }
        end()
        return found
    }

    private static let ends = Array(".!?".utf8)
    private static let closers = Array("*_)\"".utf8)

    /// Cuts a paragraph behind `.`, `!`, `?` and a space; code and addresses of links are one word.
    private static func sentences(_ lines: [(line: Int, text: Substring)]) -> [Sentence] {
        var found: [Sentence] = []
        var sentence = Sentence(line: lines.first?.line ?? 0)
        var word: [UInt8] = []
        var (isCode, isAddress) = (false, false)
        var mark: UInt8 = 0
        func endWord() {
            if !word.isEmpty { sentence.words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        for (line, text) in lines {
            for byte in text.utf8 + [UInt8(ascii: " ")] {
                if byte == UInt8(ascii: "`") { isCode.toggle() }
                if byte == UInt8(ascii: "("), mark == UInt8(ascii: "]") { isAddress = true }
                if isAddress {
                    isAddress = byte != UInt8(ascii: ")")
                } else if isCode || byte == UInt8(ascii: "`") {
                    if word.isEmpty { word.append(UInt8(ascii: "`")) }
                } else if isLetter(byte) {
                    word.append(byte | (byte < 128 ? 0x20 : 0))
                } else if byte == UInt8(ascii: " ") {
                    endWord()
                    if ends.contains(mark) {
                        sentence.isQuestion = mark == UInt8(ascii: "?")
                        if !sentence.words.isEmpty { found.append(sentence) }
                        sentence = Sentence(line: line)
                    }
                } else if !word.isEmpty, byte != UInt8(ascii: "'"), byte < 128 {
                    endWord()
                }
                // A sentence may end inside of quotes, brackets or emphasis.
                if !closers.contains(byte) || !ends.contains(mark) { mark = byte }
            }
        }
        endWord()
        if !sentence.words.isEmpty { found.append(sentence) }
        return found
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 128 || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
            || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
    }
}
