/// Why an expression does not hold.
extension TagExpression {
    /// One operand on the way up.
    private struct Operand {
        var holds: Bool
        /// The operand in its normal spelling.
        var text: [UInt8]
        /// Whether it needs parentheses below `!`, and an `||` below `&&`.
        var binding: Binding
        /// The smallest operand that makes it false; meaningful where it does not hold.
        var failing: [UInt8]
    }

    private enum Binding {
        case single, and, or
    }

    /// The smallest part of the expression that keeps a registration with exactly these tags from
    /// being addressed, in its normal spelling; nil when it is addressed.
    ///
    /// Of an `&&` the first operand that is false, of anything else the whole.
    package func failingPart(tags: TagSet) -> [UInt8]? {
        var stack: [Operand] = []
        for step in steps {
            switch step {
            case .tag(let index):
                let range = tagRange(at: Int(index))
                let text = Array(source[range])
                let holds = tags.contains(tag(at: Int(index)))
                stack.append(Operand(holds: holds, text: text, binding: .single, failing: text))
            case .not:
                let operand = stack.removeLast()
                let inner = operand.binding == .single ? operand.text : Self.enclosed(operand.text)
                let text = [UInt8(ascii: "!")] + inner
                stack.append(
                    Operand(holds: !operand.holds, text: text, binding: .single, failing: text)
                )
            case .skipIfFalse, .skipIfTrue: break
            case .and:
                let right = stack.removeLast()
                let left = stack.removeLast()
                let parts = [left, right].map {
                    $0.binding == .or ? Self.enclosed($0.text) : $0.text
                }
                stack.append(
                    Operand(
                        holds: left.holds && right.holds,
                        text: parts[0] + Array(" && ".utf8) + parts[1],
                        binding: .and,
                        failing: left.holds ? right.failing : left.failing
                    )
                )
            case .or:
                let right = stack.removeLast()
                let left = stack.removeLast()
                let text = left.text + Array(" || ".utf8) + right.text
                let holds = left.holds || right.holds
                stack.append(Operand(holds: holds, text: text, binding: .or, failing: text))
            }
        }
        return stack[0].holds ? nil : stack[0].failing
    }

    private static func enclosed(_ text: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "(")] + text + [UInt8(ascii: ")")]
    }
}
