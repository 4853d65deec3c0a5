import HubVocabulary

/// Finds the root element of an XML document without reading further.
enum DocumentRoot {
    /// The root's name; nil when what stands first is no element.
    ///
    /// Passes over a byte order mark, white space, the declaration, processing instructions and
    /// comments; linear in what it passes over.
    static func name(in document: Span<UInt8>) -> [UInt8]? {
        var position = starts(document, at: 0, with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while position < document.count {
            if ASCII.isBlank(document[position]) {
                position += 1
            } else if starts(document, at: position, with: Array("<?".utf8)) {
                guard let end = end(of: "?>", in: document, from: position + 2) else { return nil }
                position = end
            } else if starts(document, at: position, with: Array("<!--".utf8)) {
                guard let end = end(of: "-->", in: document, from: position + 4) else { return nil }
                position = end
            } else {
                return element(in: document, at: position)
            }
        }
        return nil
    }

    private static func element(in document: Span<UInt8>, at start: Int) -> [UInt8]? {
        guard document[start] == UInt8(ascii: "<") else { return nil }
        var end = start + 1
        while end < document.count, !ASCII.isBlank(document[end]), document[end] != 0x3E,
            document[end] != 0x2F
        {
            end += 1
        }
        let name = document.bytes(in: start + 1..<end)
        guard end < document.count, !name.isEmpty, name.first != UInt8(ascii: "!") else {
            return nil
        }
        return name
    }

    private static func starts(_ text: Span<UInt8>, at position: Int, with word: [UInt8]) -> Bool {
        guard text.count - position >= word.count else { return false }
        return word.indices.allSatisfy { text[position + $0] == word[$0] }
    }

    private static func end(of word: String, in text: Span<UInt8>, from start: Int) -> Int? {
        let word = Array(word.utf8)
        var position = start
        while position + word.count <= text.count {
            if starts(text, at: position, with: word) { return position + word.count }
            position += 1
        }
        return nil
    }
}
