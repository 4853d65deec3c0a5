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

    fileprivate init() {}

    /// Whether the result does not depend on any property.
    var isLiteral: Bool { insertions.isEmpty }
}

/// Copies a source text into a program, but for the ranges that are replaced.
struct TemplateProgramBuilder {
    private let source: [UInt8]
    private let takesExpressions: Bool
    private var copied = 0
    private var program = TemplateProgram()

    /// Without `takesExpressions` what looks like an expression is text.
    init(source: [UInt8], takesExpressions: Bool = true) {
        self.source = source
        self.takesExpressions = takesExpressions
    }

    /// How many expressions there are so far.
    var expressionCount: Int { program.insertions.count }

    /// Compiles a decoded leaf value, if it is an expression, in place of `range`.
    ///
    /// Ranges must ascend. `offset` is where the value's content begins in the source, `rawCount`
    /// how many bytes it has there. Says whether the value was an expression.
    mutating func replace(
        _ range: Range<Int>,
        with value: [UInt8],
        as context: TemplateContext,
        offset: Int,
        rawCount: Int
    ) throws(TemplateError) -> Bool {
        guard takesExpressions, TemplateExpression.begins(value) else { return false }
        guard expressionCount < TemplateLimits.expressionsMax else {
            throw TemplateError(offset: offset, fault: .tooManyExpressions)
        }
        let expression: TemplateExpression
        do throws(ExpressionError) {
            expression = try ExpressionParser.parse(value)
        } catch {
            let within = rawCount == value.count ? error.offset : 0
            throw TemplateError(offset: offset + within, fault: error.fault)
        }
        drop(range)
        program.insertions.append(
            .init(offset: program.text.count, expression: expression, context: context)
        )
        return true
    }

    /// Leaves `range` out.
    mutating func drop(_ range: Range<Int>) {
        program.text.append(contentsOf: source[copied..<range.lowerBound])
        copied = range.upperBound
    }

    /// The program, with the rest of the source copied.
    consuming func finish() -> TemplateProgram {
        drop(source.count..<source.count)
        return program
    }
}
