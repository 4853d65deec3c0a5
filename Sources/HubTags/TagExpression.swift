/// A tag expression, parsed and compiled once per send.
///
///     expression = or        or  = and *( "||" and )        and = unary *( "&&" unary )
///     unary = "!" unary | "(" expression ")" | tag          REST §6.2
///
/// The compiled form is postfix with short cuts: evaluating for one registration follows the short
/// cuts and needs no stack; set operations ignore them and read the operators.
package struct TagExpression: Equatable, Sendable {
    /// One instruction; targets and operands are indices of steps.
    enum Step: Equatable, Sendable {
        /// Whether the tag with this index is in the set.
        case tag(UInt8)
        case not
        /// With the left operand false, `&&` is decided: goes on at `target`.
        case skipIfFalse(target: UInt16)
        /// With the left operand true, `||` is decided: goes on at `target`.
        case skipIfTrue(target: UInt16)
        /// Joins two operands; the left one ends before the step `skip`, the right one begins
        /// behind it.
        case and(skip: UInt16)
        case or(skip: UInt16)
    }

    /// The text as it was given.
    package let source: [UInt8]
    /// Whether `||` is the only operator, so that the larger limit holds.
    package let isOrOnly: Bool
    let steps: [Step]
    private let ranges: [Range<Int>]
    private let hashes: [UInt64]

    /// Parses `text`.
    ///
    /// - Throws: The first thing wrong with it, by position; limits are checked as they are reached.
    package init(
        parsing text: Span<UInt8>,
        limits: TagLimits = .standard
    ) throws(TagError) {
        guard text.count <= limits.expressionBytesMax else {
            throw .expressionTooLong(limit: limits.expressionBytesMax)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for index in text.indices { bytes.append(text[index]) }
        try self.init(parsing: bytes, limits: limits)
    }

    /// Parses `text`; as the initialiser for spans, without copying.
    package init(
        parsing text: [UInt8],
        limits: TagLimits = .standard
    ) throws(TagError) {
        var parser = TagExpressionParser(source: text, limits: limits)
        try parser.parse()
        source = text
        isOrOnly = parser.isOrOnly
        steps = parser.steps
        ranges = parser.tags
        hashes = parser.tags.map { TagHash.fixed.value(of: text.span.extracting($0)) }
    }

    /// How often the expression names a tag; a tag named twice counts twice.
    package var tagCount: Int { ranges.count }

    /// Where the tag with this index stands in ``source``.
    package func tagRange(at index: Int) -> Range<Int> { ranges[index] }

    /// The bytes of the tag with this index, in order of appearance.
    @_lifetime(borrow self)
    package func tag(at index: Int) -> Span<UInt8> {
        source.span.extracting(ranges[index])
    }

    /// Whether the expression holds where `contains` says, by index, which of its tags are there.
    package func evaluate(_ contains: (Int) -> Bool) -> Bool {
        evaluate(0..<steps.count, contains)
    }

    /// Whether a registration with exactly these tags is addressed.
    package func matches(tags: TagSet) -> Bool {
        evaluate { tags.contains(tag(at: $0), hash: hashes[$0]) }
    }

    /// As ``evaluate(_:)``, for the operand that occupies `range`.
    func evaluate(_ range: Range<Int>, _ contains: (Int) -> Bool) -> Bool {
        var value = false
        var position = range.lowerBound
        while position < range.upperBound {
            switch steps[position] {
            case .tag(let index): value = contains(Int(index))
            case .not: value.toggle()
            case .skipIfFalse(let target):
                if !value {
                    position = Int(target)
                    continue
                }
            case .skipIfTrue(let target):
                if value {
                    position = Int(target)
                    continue
                }
            case .and, .or: break  // Past the short cut the right operand alone decides.
            }
            position += 1
        }
        return value
    }
}
