/// Why a text is not the XML that templates may be.
///
/// Source: rules E.
package enum XMLFault: Hashable, Sendable {
    case documentType
    case entityUnknown
    case characterInvalid
    case nameInvalid
    case tagMalformed
    case tagMismatch
    case attributeDuplicate
    case tooManyAttributes
    case sectionEndInText
    case commentMalformed
    case instructionMalformed
    case declarationMalformed
    /// Has the name that the declaration gives.
    case encodingUnsupported(String)
    case textOutsideRoot
    case rootMissing
    case rootNotAlone
    case unexpectedEnd
    case tooDeep

    /// A sentence for the caller.
    package var reason: String {
        switch self {
        case .documentType: "A document type is not allowed in XML."
        case .entityUnknown: "The XML has an entity that is not predefined, or a stray '&'."
        case .characterInvalid: "The XML holds a character that XML does not allow."
        case .nameInvalid: "The XML has an invalid name."
        case .tagMalformed: "The XML has a malformed tag."
        case .tagMismatch: "The XML has an end tag that does not fit its start tag."
        case .attributeDuplicate: "The XML has an element with two attributes of one name."
        case .tooManyAttributes:
            "The XML has an element with more than \(TemplateLimits.attributesMax) attributes."
        case .sectionEndInText: "The XML has ']]>' in its text."
        case .commentMalformed: "The XML has a malformed comment."
        case .instructionMalformed: "The XML has a malformed processing instruction."
        case .declarationMalformed: "The XML declaration is malformed."
        case .encodingUnsupported(let name):
            "The XML declares the encoding '\(name)'; UTF-8 and UTF-16 are known."
        case .textOutsideRoot: "The XML has text outside of its root element."
        case .rootMissing: "The XML has no root element."
        case .rootNotAlone: "The XML has more than one root element."
        case .unexpectedEnd: "The XML ends too early."
        case .tooDeep: "The XML is nested more than \(TemplateLimits.depthMax) levels deep."
        }
    }
}
