/// A tag that an expression asks for, or forbids, and whether a registration has it.
package struct TagTerm: Hashable, Sendable {
    /// The tag, as the expression spells it.
    package var tag: [UInt8]
    /// Whether the expression asks for it; below an odd number of `!` it forbids it.
    package var isWanted: Bool
    /// Whether the registration has it.
    package var isThere: Bool

    /// Makes a term.
    package init(tag: [UInt8], isWanted: Bool, isThere: Bool) {
        self.tag = tag
        self.isWanted = isWanted
        self.isThere = isThere
    }

    /// Whether the registration is as the expression wants it here.
    package var holds: Bool { isWanted == isThere }

    /// The term as an expression: `World`, `!Sports`.
    package var text: [UInt8] { isWanted ? tag : [UInt8(ascii: "!")] + tag }
}

extension TagExpression {
    /// The expression's tags in order of appearance, each once for each way in which it is wanted,
    /// held against exactly these tags.
    ///
    /// A `!` in front of parentheses counts for each tag within: of `!(a || b)` the terms are `!a`
    /// and `!b`.
    package func terms(tags: TagSet) -> [TagTerm] {
        var terms: [TagTerm] = []
        // Where the terms of each operand begin; it ends with the last term.
        var operands: [Int] = []
        for step in steps {
            switch step {
            case .tag(let index):
                operands.append(terms.count)
                let isThere = tags.contains(tag(at: Int(index)))
                let text = Array(source[tagRange(at: Int(index))])
                terms.append(TagTerm(tag: text, isWanted: true, isThere: isThere))
            case .not:
                for index in (operands.last ?? 0)..<terms.count { terms[index].isWanted.toggle() }
            case .and, .or: operands.removeLast()
            case .skipIfFalse, .skipIfTrue: break
            }
        }
        var once: [TagTerm] = []
        for term in terms {
            let isKnown = once.contains {
                $0.isWanted == term.isWanted && TagRules.equal($0.tag.span, term.tag.span)
            }
            if !isKnown { once.append(term) }
        }
        return once
    }
}
