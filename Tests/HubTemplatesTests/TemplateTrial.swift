import Foundation
import HubTemplates
import HubTestSupport
import HubVocabulary
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Compiles and fills templates for tests, and reads results with independent parsers.
enum TemplateTrial {
    /// The property bag of the examples.
    ///
    /// Source: REST reference §7.9.
    static let example = """
        {"title":"Summit","count":"7","url":"https://n.example/a b","long":"abcdefghijkl"}
        """

    static func bag(_ json: String) throws -> PropertyBag {
        let bytes = Array(json.utf8)
        return try PropertyBag(json: bytes.span)
    }

    /// A bag with one property of any text.
    static func bag(_ name: String, _ value: String) -> PropertyBag {
        PropertyBag([NamedValue(name: Array(name.utf8), value: Array(value.utf8))])
    }

    /// The rendered body as text.
    static func fill(
        _ body: String,
        _ syntax: TemplateSyntax = .json,
        with bag: PropertyBag,
        variables: PropertyBag? = nil
    ) throws -> String {
        let template = try CompiledTemplate(body: Array(body.utf8), syntax: syntax)
        return String(decoding: template.render(bag, variables: variables).body, as: UTF8.self)
    }

    /// A JSON body whose member `v` is `value`.
    static func jsonBody(_ value: String) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: ["v": value],
            options: .withoutEscapingSlashes
        )
        return String(decoding: data, as: UTF8.self)
    }

    /// The member `v` of a rendered body, as Foundation reads it.
    static func member(_ json: String, _ name: String = "v") throws -> NSObject? {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return object?[name] as? NSObject
    }

    /// What one value renders to, inside a JSON body.
    static func value(_ value: String, with bag: PropertyBag) throws -> NSObject? {
        try member(try fill(jsonBody(value), with: bag))
    }

    /// The fault of a body; nil when it compiles.
    static func error(_ body: String, _ syntax: TemplateSyntax = .json) -> TemplateError? {
        error { () throws(TemplateError) in
            _ = try CompiledTemplate(body: Array(body.utf8), syntax: syntax)
        }
    }

    static func error(_ step: () throws(TemplateError) -> Void) -> TemplateError? {
        do throws(TemplateError) {
            try step()
            return nil
        } catch {
            return error
        }
    }
}

/// An XML document as Foundation's parser reads it: `element`, `element@attribute` → text.
final class XMLReading: NSObject, XMLParserDelegate {
    private(set) var texts: [String: String] = [:]
    private var open: [String] = []

    /// Nil when the parser finds the document malformed.
    static func parse(_ document: String) -> [String: String]? {
        let reading = XMLReading()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = reading
        // On Linux `parse()` alone is true for some malformed documents.
        return parser.parse() && !reading.failed ? reading.texts : nil
    }

    private var failed = false

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) { failed = true }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?,
        attributes: [String: String]
    ) {
        open.append(elementName)
        for (name, value) in attributes { texts["\(elementName)@\(name)"] = value }
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?
    ) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if let element = open.last { texts[element, default: ""] += string }
    }
}

extension SeededGenerator {
    /// One of the choices.
    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

    /// A text made to break out of whatever it is put into.
    mutating func hostileText() -> String {
        let pieces = [
            "\"", "'", "\\", "\\\"", "<", ">", "</text>", "]]>", "<![CDATA[", "&", "&amp;", "&#0;",
            "\n", "\r", "\r\n", "\t", "\u{0}", "\u{1}", "\u{1F}", "\u{7F}", "\u{FFFE}", "\u{FFFF}",
            "é", "e\u{301}", "👨‍👩‍👧", "🇩🇪", "\u{2028}", "$(p)", "}", "{", ",", "--", "?>", "a", "0",
        ]
        return (0..<below(12)).map { _ in pick(pieces) }.joined()
    }
}
