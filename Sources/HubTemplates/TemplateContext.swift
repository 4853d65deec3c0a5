/// Where a value is inserted, which decides how it is escaped.
enum TemplateContext: UInt8, Sendable {
    /// A JSON value: written with its quotes, or as a number.
    case jsonValue
    /// The text of an XML element.
    case xmlText
    /// An XML attribute's value, inside its quotes.
    case xmlAttribute
    /// A header's value: control characters become spaces.
    case header
    /// Anything else: as it is.
    case plain
}
