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
