/// Recursive descent over the grammar of ``TagExpression``; one level of calls per parenthesis.
struct TagExpressionParser {
    let source: [UInt8]
    let limits: TagLimits
    private(set) var steps: [TagExpression.Step] = []
    private(set) var tags: [Range<Int>] = []
    private(set) var isOrOnly = true
    private var position = 0
    private var depth = 0

    init(source: [UInt8], limits: TagLimits) {
        precondition(limits.expressionTagsOrOnlyMax <= 64, "a cover has 64 bits")
        precondition(limits.expressionTagsMixedMax <= 64, "a cover has 64 bits")
        precondition(limits.expressionNestingMax <= 128, "each level of nesting is a call")
        precondition(limits.expressionBytesMax <= 65_535, "targets of steps have 16 bits")
        self.source = source
        self.limits = limits
    }

    mutating func parse() throws(TagError) {
        guard source.count <= limits.expressionBytesMax else {
            throw .expressionTooLong(limit: limits.expressionBytesMax)
        }
        skipBlanks()
        guard position < source.count else { throw .emptyExpression }
        try parseOr()
        guard position == source.count else { throw .unexpected(position: position) }
        if !isOrOnly, tags.count > limits.expressionTagsMixedMax {
            throw .tooManyTags(limit: limits.expressionTagsMixedMax)
        }
    }

    private mutating func parseOr() throws(TagError) {
        try parseAnd()
        while try acceptPair(of: UInt8(ascii: "|")) {
            let skip = steps.count
            steps.append(.skipIfTrue(target: 0))
            try parseAnd()
            steps.append(.or(skip: UInt16(skip)))
            steps[skip] = .skipIfTrue(target: UInt16(steps.count))
        }
    }

    private mutating func parseAnd() throws(TagError) {
        try parseUnary()
        while try acceptPair(of: UInt8(ascii: "&")) {
            isOrOnly = false
            let skip = steps.count
            steps.append(.skipIfFalse(target: 0))
            try parseUnary()
            steps.append(.and(skip: UInt16(skip)))
            steps[skip] = .skipIfFalse(target: UInt16(steps.count))
        }
    }

    /// Leaves the position on the next token.
    private mutating func parseUnary() throws(TagError) {
        var isNegated = false
        while accept(UInt8(ascii: "!")) {
            isOrOnly = false
            isNegated.toggle()
        }
        let opening = position
        if accept(UInt8(ascii: "(")) {
            depth += 1
            guard depth <= limits.expressionNestingMax else {
                throw .nestingTooDeep(position: opening, limit: limits.expressionNestingMax)
            }
            try parseOr()
            guard accept(UInt8(ascii: ")")) else {
                guard position < source.count else { throw .unterminated(position: opening) }
                throw .unexpected(position: position)
            }
            depth -= 1
        } else {
            try parseTag()
        }
        if isNegated { steps.append(.not) }
    }

    private mutating func parseTag() throws(TagError) {
        let start = position
        let end = try endOfTag(from: start)
        guard end > start else { throw .unexpected(position: start) }
        guard end - start <= limits.tagBytesMax else {
            throw .tagTooLong(position: start, limit: limits.tagBytesMax)
        }
        let most = isOrOnly ? limits.expressionTagsOrOnlyMax : limits.expressionTagsMixedMax
        guard tags.count < most else { throw .tooManyTags(limit: most) }
        steps.append(.tag(UInt8(tags.count)))
        tags.append(start..<end)
        position = end
        skipBlanks()
    }

    private func endOfTag(from start: Int) throws(TagError) -> Int {
        guard start < source.count, source[start] == UInt8(ascii: "$") else {
            switch TagRules.endOfTag(in: source.span, from: start) {
            case .end(let end): return end
            case .malformed(let position): throw .invalidTag(position: position)
            }
        }
        switch TagRules.endOfReservedTag(in: source.span, from: start) {
        case .end(let end): return end
        case .unknown: throw .invalidTag(position: start)
        case .unterminated(let brace): throw .unterminated(position: brace)
        case .forbidden(let position), .malformed(let position):
            throw .invalidTag(position: position)
        }
    }

    /// Consumes `&&` or `||`; one of the two bytes alone is refused where it stands.
    private mutating func acceptPair(of byte: UInt8) throws(TagError) -> Bool {
        guard position < source.count, source[position] == byte else { return false }
        guard position + 1 < source.count, source[position + 1] == byte else {
            throw .unexpected(position: position)
        }
        position += 2
        skipBlanks()
        return true
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard position < source.count, source[position] == byte else { return false }
        position += 1
        skipBlanks()
        return true
    }

    private mutating func skipBlanks() {
        while position < source.count,
            source[position] == UInt8(ascii: " ") || source[position] == UInt8(ascii: "\t")
        {
            position += 1
        }
    }
}
