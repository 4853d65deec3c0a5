import HubAtom
import HubModel
import HubRules
import HubTags
import HubVocabulary

/// `$filter` of a list: `NAME eq 'VALUE'` joined by `and`, in every spelling that clients send.
///
/// Every name stands for "any handle of any platform".
///
/// Source: REST §4.8.
struct HandleFilter {
    /// The clauses in the order given; names in lower case.
    let clauses: [(name: String, value: [UInt8])]

    /// Reads the decoded query value.
    ///
    /// - Throws: `.invalid` with field `$filter`.
    init(_ text: [UInt8]) throws(Refusal) {
        guard text.count <= 8_192 else { throw Self.invalid("is too long.") }
        var scanner = Scanner(text)
        var found: [(name: String, value: [UInt8])] = []
        repeat {
            guard found.count < 4, let name = scanner.name(), scanner.word("eq"),
                let value = scanner.value()
            else {
                throw Self.invalid("must read NAME eq 'VALUE', joined by 'and'.")
            }
            guard !value.isEmpty else { throw Self.invalid("has an empty value.") }
            found.append((name, value))
        } while scanner.word("and")
        guard scanner.isAtEnd else {
            throw Self.invalid("can't be read from byte \(scanner.position) on.")
        }
        clauses = found
    }

    /// The spellings of the handle to look for.
    ///
    /// - Throws: `.invalid` when the clauses name more than one handle.
    func handles() throws(Refusal) -> [[UInt8]] {
        if let channel = value("baiduchannelid") {
            let user = value("baiduuserid") ?? []
            return Self.spellings(of: BaiduHandle(user: user, channel: channel).joined)
        }
        if let endpoint = value("endpoint") { return Self.spellings(of: endpoint) }
        guard clauses.count == 1 else {
            throw Self.invalid("names more than one handle.")
        }
        return Self.spellings(of: clauses[0].value)
    }

    private func value(_ name: String) -> [UInt8]? {
        clauses.first { $0.name == name }?.value
    }

    /// As given, percent-decoded (some clients encode inside the literal), and each as the core
    /// would have stored it as a token or an address.
    private static func spellings(of value: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for given in [value, PercentCoding.decodeLeniently(value, plusIsSpace: false)] {
            let stored = [Platform.apple, .windows].compactMap { platform in
                // The core stores no handle that it refuses, so none is spelled so.
                try? RegistrationContent(platform: platform, handle: given, tags: TagSet())
                    .validated().handle
            }
            for spelling in [given] + stored where !found.contains(spelling) {
                found.append(spelling)
            }
        }
        return found
    }

    private static func invalid(_ reason: String) -> Refusal {
        .invalid(field: "$filter", reason: reason)
    }
}

/// Reads a filter from left to right.
private struct Scanner {
    private let text: [UInt8]
    private(set) var position = 0

    init(_ text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    /// A field's name in lower case.
    mutating func name() -> String? {
        skipBlanks()
        let start = position
        while position < text.count, Self.isNameByte(text[position]) { position += 1 }
        guard position > start else { return nil }
        return String(decoding: text[start..<position], as: UTF8.self).lowercased()
    }

    /// Consumes a word (lower case) that ends at a blank, without case; false when it isn't there.
    mutating func word(_ word: String) -> Bool {
        skipBlanks()
        let end = position + word.utf8.count
        guard end < text.count, text[end] == UInt8(ascii: " "),
            String(decoding: text[position..<end], as: UTF8.self).lowercased() == word
        else { return false }
        position = end
        return true
    }

    /// A quoted value in which `''` is a quote; the opening quote may be missing, as one client
    /// forgets it.
    mutating func value() -> [UInt8]? {
        skipBlanks()
        let quote = UInt8(ascii: "'")
        let isQuoted = position < text.count && text[position] == quote
        if isQuoted { position += 1 }
        var value: [UInt8] = []
        while position < text.count {
            let byte = text[position]
            if byte == quote {
                let isDoubled = position + 1 < text.count && text[position + 1] == quote
                position += isDoubled ? 2 : 1
                guard isDoubled else {
                    skipBlanks()
                    return value
                }
                value.append(quote)
                continue
            }
            if !isQuoted, byte == UInt8(ascii: " ") { break }
            value.append(byte)
            position += 1
        }
        skipBlanks()
        return isQuoted ? nil : value
    }

    private mutating func skipBlanks() {
        while position < text.count, text[position] == UInt8(ascii: " ") { position += 1 }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
