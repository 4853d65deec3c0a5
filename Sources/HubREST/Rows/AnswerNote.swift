/// An answer without a refusal.
package struct AnswerNote: Sendable {
    /// The HTTP status.
    package let status: Int
    /// Media type of its body; nil when the body is empty.
    package let type: String?
    /// Its meaning, as a sentence without a full stop.
    package let text: String
    /// Headers of this answer besides those of all answers, with what they mean.
    package let headers: [(name: String, text: String)]
    /// Its JSON schema in the document; nil where it is plain text.
    package let schema: String?

    /// Describes an answer.
    init(
        _ status: Int,
        _ text: String,
        _ type: String? = nil,
        schema: String? = nil,
        headers: [(name: String, text: String)] = []
    ) {
        self.status = status
        self.type = type
        self.text = text
        self.schema = schema
        self.headers = headers
    }
}
