import Foundation
import FoundationXML
package import HubVocabulary

/// Bounds of an XML body; generous against every client seen.
private struct XMLBounds {
    /// Nesting of elements.
    var depthMax = 16
    /// Elements in one body.
    var elementsMax = 512
    /// Attributes of one element, namespace declarations included.
    var attributesMax = 32

    /// The bounds of registration bodies.
    static let standard = XMLBounds()
}

/// Reads small hostile XML bodies into a tree.
///
/// The system's parser accepts a DOCTYPE with entities and drops their text silently, and follows
/// an encoding the declaration names. So the bytes are checked first: UTF-8, no control characters,
/// no declared encoding but UTF-8 and UTF-16, no `<!DOCTYPE` or `<!ENTITY`. Then the declaration is
/// cut off, and only what was checked is parsed.
///
/// Source: rules E.
package enum XMLInput {
    /// The root element of a body.
    ///
    /// - Throws: `.invalid` with field `Body`, saying where the text stops being acceptable.
    package static func parse(_ body: [UInt8]) throws(Refusal) -> XMLNode {
        let text = try checkedText(body)
        let builder = XMLTreeBuilder(bounds: .standard)
        let parser = XMLParser(data: Data(text))
        parser.delegate = builder
        parser.shouldProcessNamespaces = true
        parser.shouldResolveExternalEntities = false
        let isComplete = parser.parse()
        if let excess = builder.excess { throw invalid(excess) }
        guard isComplete, parser.parserError == nil, let root = builder.root else {
            throw invalid(
                "is not well-formed XML near line \(parser.lineNumber), "
                    + "column \(parser.columnNumber)."
            )
        }
        return root
    }

    private static func invalid(_ reason: String) -> Refusal {
        .invalid(field: "Body", reason: reason)
    }

    /// The body without byte order mark and XML declaration, after every check.
    private static func checkedText(_ body: [UInt8]) throws(Refusal) -> [UInt8] {
        var rest = body[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        guard String(validating: rest, as: UTF8.self) != nil else {
            throw invalid("is not UTF-8.")
        }
        guard rest.contains(where: { $0 > 0x20 }) else { throw invalid("is empty.") }
        guard rest.allSatisfy({ $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else {
            throw invalid("has control characters, which XML forbids.")
        }
        for word in ["<!doctype", "<!entity"] where contains(rest, Array(word.utf8)) {
            throw invalid("has a document type or entity declaration, which is not accepted.")
        }
        guard beginsWithDeclaration(rest) else { return Array(rest) }
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
            throw invalid("has an XML declaration that does not end.")
        }
        let declaration = String(decoding: rest[...end], as: UTF8.self).lowercased()
        guard declaration.hasSuffix("?>") else {
            throw invalid("has an XML declaration that does not end.")
        }
        for part in declaration.split(separator: "encoding").dropFirst() {
            let value = part.filter { !" \t\r\n=".contains($0) }
            let encoding = value.dropFirst().prefix { $0 != "\"" && $0 != "'" && $0 != "?" }
            // What writes UTF-16 in memory declares it; the bytes were checked to be UTF-8.
            guard ["utf-8", "utf8", "utf-16"].contains(encoding) else {
                let shown = PlainText.shown(Array(encoding.utf8).span)
                throw invalid("declares the encoding '\(shown)'; UTF-8 and UTF-16 are known.")
            }
        }
        rest = rest[(end + 1)...]
        // The parser takes the encoding from the first declaration that it sees.
        guard !beginsWithDeclaration(rest) else { throw invalid("has two XML declarations.") }
        return Array(rest)
    }

    /// Whether the parser would take what comes first for an XML declaration.
    private static func beginsWithDeclaration(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.starts(with: "<?xml".utf8) else { return false }
        return text.dropFirst(5).first.map { " \t\r\n".utf8.contains($0) } ?? false
    }

    /// Whether `word` (lower case) occurs, without case.
    private static func contains(_ bytes: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        var rest = bytes
        while let start = rest.firstIndex(of: word[0]) {
            let candidate = rest[start...].prefix(word.count)
            let matches = zip(candidate, word).allSatisfy { byte, wanted in
                (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == wanted
            }
            if matches, candidate.count == word.count { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }
}

/// Collects the parser's events into a tree and stops it at the bounds.
private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private let bounds: XMLBounds
    private var open: [XMLNode] = []
    private var elements = 0
    /// The finished tree.
    private(set) var root: XMLNode?
    /// Which bound was exceeded, as the reason of a refusal.
    private(set) var excess: String?

    init(bounds: XMLBounds) { self.bounds = bounds }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements += 1
        if open.count >= bounds.depthMax {
            stop(parser, "is nested deeper than \(bounds.depthMax) elements.")
        } else if elements > bounds.elementsMax {
            stop(parser, "has more than \(bounds.elementsMax) elements.")
        } else if attributes.count > bounds.attributesMax {
            stop(parser, "has an element with more than \(bounds.attributesMax) attributes.")
        } else {
            // Sorted so that of two attributes that differ in prefix alone the same one wins always.
            let local = attributes.sorted { $0.key > $1.key }.map {
                (Self.localName($0.key), $0.value)
            }
            let known = Dictionary(local) { _, last in last }
            open.append(XMLNode(name: Self.localName(elementName), attributes: known))
        }
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard excess == nil, let closed = open.popLast() else { return }
        if open.isEmpty {
            root = closed
        } else {
            open[open.count - 1].children.append(closed)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += string
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += String(decoding: block, as: UTF8.self)
    }

    private func stop(_ parser: XMLParser, _ reason: String) {
        guard excess == nil else { return }
        excess = reason
        parser.abortParsing()
    }

    private static func localName(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }
}
