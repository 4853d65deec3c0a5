import HubVocabulary

/// The syntax of a template's body.
package enum TemplateSyntax: Hashable, Sendable {
    /// A JSON object whose string values may be expressions.
    case json
    /// An XML document whose attribute values and leaf texts may be expressions.
    case xml
    /// A text that as a whole may be an expression; nothing is escaped.
    case text

    /// The syntax of a raw notification's body: an XML document, a JSON object, or any text.
    package init(rawBody body: [UInt8]) {
        let first = body.first { !ASCII.isBlank($0) }
        if first == UInt8(ascii: "<") {
            self = .xml
            return
        }
        do throws(JSONTextError) {
            let depthMax = TemplateLimits.depthMax
            try JSONText.validate(body.span, depthMax: depthMax, requiresObject: true)
            self = .json
        } catch {
            self = .text
        }
    }
}
