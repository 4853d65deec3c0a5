import HubVocabulary

/// Parses the value of a leaf that begins like an expression.
///
///     value = "{" token *( "+" token ) "}" | token *( "+" token )      REST reference §7.3
struct ExpressionParser {
    private let value: [UInt8]
    private var position = 0
    private var end: Int

    /// The expression that `value`, decoded and not empty, spells.
    static func parse(_ value: [UInt8]) throws(ExpressionError) -> TemplateExpression {
        var parser = ExpressionParser(value)
        return try parser.parseValue()
    }

    private init(_ value: [UInt8]) {
        self.value = value
        end = value.count
    }

    private mutating func parseValue() throws(ExpressionError) -> TemplateExpression {
        let isComposite = value.first == UInt8(ascii: "{")
        if isComposite {
            guard end > 1, value.last == UInt8(ascii: "}") else {
                throw error(.compositeUnterminated)
            }
            position = 1
            end -= 1
        }
        while end > position, ASCII.isBlank(value[end - 1]) { end -= 1 }
        var expression = TemplateExpression()
        while true {
            skipBlanks()
            let start = position
            expression.tokens.append(try parseToken())
            guard expression.tokens.count <= TemplateLimits.tokensMax else {
                throw error(.tooManyTokens, at: start)
            }
            skipBlanks()
            let isLast = position == end
            let isHash = value[start] == UInt8(ascii: "#")
            if isHash, isComposite || !isLast || expression.tokens.count > 1 {
                throw error(.hashNotAlone, at: start)
            }
            if isLast { return expression }
            guard value[position] == UInt8(ascii: "+") else { throw error(.plusExpected) }
            position += 1
        }
    }

    private mutating func parseToken() throws(ExpressionError) -> TemplateExpression.Token {
        guard position < end else { throw error(.tokenMissing) }
        let first = value[position]
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            guard end - position >= 3 else { throw error(.tokenTooShort) }
            return .literal(try parseLiteral(quote: first))
        case UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "#"):
            return .property(try parseProperty(kind: first))
        default: throw error(.tokenUnknown)
        }
    }

    private mutating func parseLiteral(quote: UInt8) throws(ExpressionError) -> [UInt8] {
        let start = position
        position += 1
        var text: [UInt8] = []
        while position < end {
            let byte = value[position]
            position += 1
            if byte == quote {
                guard position < end, value[position] == quote else { return text }
                position += 1
            }
            text.append(byte)
        }
        throw error(.literalUnterminated, at: start)
    }

    private mutating func parseProperty(
        kind: UInt8
    ) throws(ExpressionError) -> TemplateExpression.Property {
        let start = position
        let rest = value[position + 1..<end]
        if kind == UInt8(ascii: "$"), rest.prefix(4).spells("body") {
            throw error(.wholeBodyUnsupported)
        }
        guard rest.first == UInt8(ascii: "(") else { throw error(.openingParenthesisMissing) }
        guard rest.contains(UInt8(ascii: ")")) else {
            throw error(.closingParenthesisMissing, at: start)
        }
        position += 2
        skipBlanks()
        let name = try parseName()
        let fallback = try parseFallback()
        skipBlanks()
        let length = try parseLength(kind: kind)
        guard position < end else { throw error(.closingParenthesisMissing, at: start) }
        guard value[position] == UInt8(ascii: ")") else {
            if length != nil { throw error(.lengthInvalid) }
            throw error(fallback == nil ? .nameInvalid : .fallbackMalformed)
        }
        position += 1
        let transform: TemplateExpression.Transform
        switch (kind, length) {
        case (UInt8(ascii: "%"), _): transform = .percent
        case (UInt8(ascii: "#"), _): transform = .number
        case (UInt8(ascii: "."), let length?): transform = .cutWithDots(length)
        case (UInt8(ascii: "."), nil): throw error(.commaRequired, at: start)
        case (_, let length?): transform = .cut(length)
        case (_, nil): transform = .none
        }
        return .init(name: name, fallback: fallback, transform: transform)
    }

    private mutating func parseName() throws(ExpressionError) -> [UInt8] {
        let start = position
        while position < end, TextBytes.isName(value[position]) { position += 1 }
        guard position > start else { throw error(.nameInvalid) }
        guard position - start <= TemplateLimits.propertyNameBytesMax else {
            throw error(.nameTooLong, at: start)
        }
        return value[start..<position].map(ASCII.lower)
    }

    /// `:{text}`, where `\}` stands for a brace.
    private mutating func parseFallback() throws(ExpressionError) -> [UInt8]? {
        guard position < end, value[position] == UInt8(ascii: ":") else { return nil }
        let start = position
        guard position + 1 < end, value[position + 1] == UInt8(ascii: "{") else {
            throw error(.fallbackMalformed)
        }
        position += 2
        var text: [UInt8] = []
        while position < end {
            let byte = value[position]
            position += 1
            if byte == UInt8(ascii: "}") { return text }
            if byte == UInt8(ascii: "\\"), position < end, value[position] == UInt8(ascii: "}") {
                position += 1
                text.append(UInt8(ascii: "}"))
            } else {
                text.append(byte)
            }
        }
        throw error(.fallbackMalformed, at: start)
    }

    /// `, n`, when there is a comma.
    private mutating func parseLength(kind: UInt8) throws(ExpressionError) -> Int? {
        guard position < end, value[position] == UInt8(ascii: ",") else { return nil }
        guard kind == UInt8(ascii: "$") || kind == UInt8(ascii: ".") else {
            throw error(.commaNotAllowed)
        }
        position += 1
        skipBlanks()
        let start = position
        var length = 0
        while position < end, ASCII.isDigit(value[position]) {
            length = length * 10 + Int(value[position] - 0x30)
            guard length <= TemplateLimits.lengthMax else { throw error(.lengthInvalid, at: start) }
            position += 1
        }
        guard position > start else { throw error(.lengthInvalid) }
        skipBlanks()
        return length
    }

    private mutating func skipBlanks() {
        while position < end, ASCII.isBlank(value[position]) { position += 1 }
    }

    private func error(_ fault: TemplateFault, at offset: Int? = nil) -> ExpressionError {
        ExpressionError(fault: fault, offset: offset ?? position)
    }
}
