extension TagExpression {
    /// The cheapest cover that one walk over the expression finds; nil when a registration can be
    /// addressed without having any of the tags, as with `!a`.
    ///
    /// `cost` is asked once per named tag, with its index; usually how many registrations have it.
    package func cover(cost: (Int) -> Int) -> TagCover? {
        // For each operand: a cover of where it holds, and one of where it doesn't.
        var stack: [(whenTrue: TagCover?, whenFalse: TagCover?)] = []
        stack.reserveCapacity(tagCount)
        for step in steps {
            switch step {
            case .tag(let index):
                stack.append((TagCover(cost: cost(Int(index)), tags: 1 &<< UInt64(index)), nil))
            case .not:
                let operand = stack.removeLast()
                stack.append((operand.whenFalse, operand.whenTrue))
            case .skipIfFalse, .skipIfTrue:
                break
            case .and:
                let right = stack.removeLast()
                let left = stack.removeLast()
                stack.append(
                    (
                        Self.either(left.whenTrue, right.whenTrue),
                        Self.both(left.whenFalse, right.whenFalse)
                    )
                )
            case .or:
                let right = stack.removeLast()
                let left = stack.removeLast()
                stack.append(
                    (
                        Self.both(left.whenTrue, right.whenTrue),
                        Self.either(left.whenFalse, right.whenFalse)
                    )
                )
            }
        }
        return stack[0].whenTrue
    }

    /// The operands that must all hold, outermost first: the whole range when it isn't an `&&`.
    func conjuncts() -> [Range<Int>] {
        var found: [Range<Int>] = []
        found.reserveCapacity(tagCount)
        var open: [Range<Int>] = []
        open.reserveCapacity(tagCount)
        open.append(0..<steps.count)
        while let range = open.popLast() {
            guard case .and(let skip) = steps[range.upperBound - 1] else {
                found.append(range)
                continue
            }
            open.append(Int(skip) + 1..<range.upperBound - 1)
            open.append(range.lowerBound..<Int(skip))
        }
        return found
    }

    /// The tags of an operand that is only tags and `||`; nil for any other.
    func alternatives(in range: Range<Int>) -> UInt64? {
        var tags: UInt64 = 0
        for step in steps[range] {
            switch step {
            case .tag(let index): tags |= 1 &<< UInt64(index)
            case .or, .skipIfTrue: break
            case .not, .and, .skipIfFalse: return nil
            }
        }
        return tags
    }

    private static func either(_ left: TagCover?, _ right: TagCover?) -> TagCover? {
        left?.cheaper(of: right) ?? right
    }

    private static func both(_ left: TagCover?, _ right: TagCover?) -> TagCover? {
        guard let left, let right else { return nil }
        return left.joined(with: right)
    }
}

extension Int {
    func saturatingSum(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
