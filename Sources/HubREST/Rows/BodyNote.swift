/// A body that is read.
package struct BodyNote: Sendable {
    /// Media types that clients send; none is ever refused.
    ///
    /// Source: REST §2.3.
    package let types: [String]
    /// Its content, in a sentence or two.
    package let text: String
    /// A complete example; nil when no example is of general use.
    package let example: String?
    /// Bytes at most; nil is the configuration's `bodyBytesMax`.
    package let bytesMax: Int?
    /// Its JSON schema in the document; nil where it is plain text or of no fixed form.
    package let schema: String?
    /// Whether an empty body is refused.
    package let isRequired: Bool

    /// Describes a body.
    init(
        _ types: [String],
        _ text: String,
        example: String? = nil,
        bytesMax: Int? = nil,
        schema: String? = nil,
        isRequired: Bool = true
    ) {
        self.types = types
        self.text = text
        self.example = example
        self.bytesMax = bytesMax
        self.schema = schema
        self.isRequired = isRequired
    }
}
