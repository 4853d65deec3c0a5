/// The kinds of mistakes in a template.
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
