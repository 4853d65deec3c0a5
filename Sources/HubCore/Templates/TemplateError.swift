/// Why a template is refused, and where.
package struct TemplateError: Error, Hashable, Sendable {
    /// The part of the registration that is wrong.
    package enum Place: Hashable, Sendable {
        case body
        case expiry
        case priority
        /// A header, by name.
        case header(String)
    }

    /// The part that is wrong.
    package var place: Place
    /// Byte offset into that part.
    ///
    /// Where the value holds escapes or entities, the offset of the value's first byte.
    package var offset: Int
    /// JSON path (`aps.alert[0]`) or element and attribute (`text@id`); empty outside of values.
    package var path: String
    /// What is wrong.
    package var fault: TemplateFault

    /// Makes an error.
    package init(place: Place = .body, offset: Int = 0, path: String = "", fault: TemplateFault) {
        self.place = place
        self.offset = offset
        self.path = path
        self.fault = fault
    }

    /// The name of the field, as the REST API spells it.
    package var field: String {
        switch place {
        case .body: "BodyTemplate"
        case .expiry: "Expiry"
        case .priority: "Priority"
        case .header(let name): "header '\(name)'"
        }
    }

    /// A sentence for the caller: the reason and the position, without the value.
    package var reason: String {
        let place = path.isEmpty ? "at byte \(offset)" : "in '\(path)', at byte \(offset)"
        return "\(fault.reason) (\(place))"
    }
}

/// What can be wrong with a template.
///
/// Source: REST reference §7.3, §7.7, §4.15.
package enum TemplateFault: Hashable, Sendable {
    case bodyBlank
    case bodyTooLarge(bytes: Int)
    case notUTF8
    case json(JSONFault)
    case xml(XMLFault)
    case tooManyExpressions
    case tooManyTokens
    case openingParenthesisMissing
    case closingParenthesisMissing
    case compositeUnterminated
    case literalUnterminated
    case fallbackMalformed
    case plusExpected
    case tokenMissing
    case tokenTooShort
    case tokenUnknown
    case nameInvalid
    case nameTooLong
    case hashNotAlone
    case lengthInvalid
    case commaNotAllowed
    case commaRequired
    case wholeBodyUnsupported
    case expiryInvalid
    case priorityInvalid
    case tooManyHeaders
    case headerNameInvalid
    case headerValueEmpty
    case fieldTooLong
    case typeHeaderMissing
    case typeHeaderInvalid
    case rootInvalid
    case appleHeaderName
    case appleHeaderValue

    /// A sentence for the caller.
    package var reason: String {
        switch self {
        case .bodyBlank: "The template is blank."
        case .bodyTooLarge(let bytes):
            "The template has \(bytes) bytes; \(TemplateLimits.bodyBytesMax) are allowed."
        case .notUTF8: "The text is not UTF-8."
        case .json(let fault): fault.reason
        case .xml(let fault): fault.reason
        case .tooManyExpressions:
            "The template has more than \(TemplateLimits.expressionsMax) expressions."
        case .tooManyTokens: "An expression has more than \(TemplateLimits.tokensMax) tokens."
        case .expiryInvalid: "Expiry is neither 0, a date and time, nor an expression."
        case .priorityInvalid: "Priority is neither a number from 0 to 255 nor an expression."
        case .tooManyHeaders: "There are more than \(TemplateLimits.headersMax) headers."
        case .headerNameInvalid:
            "The header's name is empty or has characters that are not allowed."
        case .headerValueEmpty: "The header's value is empty."
        case .fieldTooLong: "The text exceeds \(TemplateLimits.headerFieldBytesMax) bytes."
        case .typeHeaderMissing:
            "X-WNS-Type is missing, and the root element is not toast, tile or badge."
        case .typeHeaderInvalid:
            "X-WNS-Type is none of wns/toast, wns/tile, wns/badge and wns/raw."
        case .rootInvalid: "The document is not a Notification element with a Toast or Tile."
        case .appleHeaderName: "A header of an Apple template must begin with 'apns-'."
        case .appleHeaderValue:
            "The header's value is neither the number it must be nor an expression."
        default: expressionReason
        }
    }

    private var expressionReason: String {
        switch self {
        case .openingParenthesisMissing:
            "An opening parenthesis is missing after '$', '.', '%' or '#'."
        case .closingParenthesisMissing: "A closing parenthesis is missing."
        case .compositeUnterminated: "An expression that begins with '{' must end with '}'."
        case .literalUnterminated: "A quoted text is not terminated."
        case .fallbackMalformed: "A fallback must be written ':{text}'."
        case .plusExpected: "Only '+' may stand between two parts of an expression."
        case .tokenMissing: "A part of the expression is missing."
        case .tokenTooShort: "A part of the expression is shorter than three characters."
        case .tokenUnknown: "A part of an expression must begin with '$', '.', '%' or a quote."
        case .nameInvalid: "A property name may have only letters, digits and '_'."
        case .nameTooLong:
            "A property name exceeds \(TemplateLimits.propertyNameBytesMax) characters."
        case .hashNotAlone: "'#' must stand alone; it cannot be joined with other parts."
        case .lengthInvalid: "The length is not a non-negative integer."
        case .commaNotAllowed: "A comma is not allowed after '%' and '#'."
        case .commaRequired: "'.' needs a comma and a length."
        case .wholeBodyUnsupported: "'$body' is not supported."
        default: "The template is invalid."
        }
    }
}

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
    case encodingUnsupported
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
        case .encodingUnsupported: "The XML declares an encoding other than UTF-8."
        case .textOutsideRoot: "The XML has text outside of its root element."
        case .rootMissing: "The XML has no root element."
        case .rootNotAlone: "The XML has more than one root element."
        case .unexpectedEnd: "The XML ends too early."
        case .tooDeep: "The XML is nested more than \(TemplateLimits.depthMax) levels deep."
        }
    }
}
