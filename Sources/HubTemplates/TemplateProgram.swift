/// A compiled text: literal bytes and the expressions to be inserted between them.
struct TemplateProgram: Hashable, Sendable {
    struct Insertion: Hashable, Sendable {
        /// Offset into `text`.
        var offset: Int
        var expression: TemplateExpression
        var context: TemplateContext
    }

    var text: [UInt8] = []
    /// Ascending by offset.
    var insertions: [Insertion] = []

    /// A text of its own that is one leaf value: a header, expiry, priority or raw body.
    init(leaf value: [UInt8], context: TemplateContext) throws(TemplateError) {
        guard TemplateExpression.begins(value) else {
            text = value
            return
        }
        do throws(ExpressionError) {
            let expression = try ExpressionParser.parse(value)
            insertions = [Insertion(offset: 0, expression: expression, context: context)]
        } catch {
            throw TemplateError(offset: error.offset, fault: error.fault)
        }
    }

    /// An empty program, for its builder.
    init() {}

    /// Whether the result does not depend on any property.
    var isLiteral: Bool { insertions.isEmpty }
}
