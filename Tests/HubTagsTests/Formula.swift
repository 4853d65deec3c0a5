import HubTestSupport

/// A tag expression as the tests understand it: evaluated over a tree, written with random blanks.
indirect enum Formula {
    case tag(Int)
    case not(Formula)
    case and(Formula, Formula)
    case or(Formula, Formula)

    static func random(tags: Int, size: Int, using random: inout SeededGenerator) -> Formula {
        if size <= 1 {
            let tag = Formula.tag(random.skewed(below: tags))
            return random.chance(25) ? .not(tag) : tag
        }
        let left = Int.random(in: 1..<size, using: &random)
        let first = Formula.random(tags: tags, size: left, using: &random)
        let second = Formula.random(tags: tags, size: size - left, using: &random)
        let joined = random.chance(50) ? Formula.and(first, second) : .or(first, second)
        return random.chance(15) ? .not(joined) : joined
    }

    func holds(_ has: (Int) -> Bool) -> Bool {
        switch self {
        case .tag(let tag): has(tag)
        case .not(let operand): !operand.holds(has)
        case .and(let left, let right): left.holds(has) && right.holds(has)
        case .or(let left, let right): left.holds(has) || right.holds(has)
        }
    }

    /// The expression's text, with parentheses only where precedence asks for them, or a few more.
    func text(_ spelling: (Int) -> String, using random: inout SeededGenerator) -> String {
        let bare: String
        switch self {
        case .tag(let tag): bare = spelling(tag)
        case .not(let operand):
            bare = "!" + operand.text(spelling, above: 3, using: &random)
        case .and(let left, let right):
            bare =
                left.text(spelling, above: 2, using: &random)
                + Formula.blanks("&&", &random) + right.text(spelling, above: 3, using: &random)
        case .or(let left, let right):
            bare =
                left.text(spelling, above: 1, using: &random)
                + Formula.blanks("||", &random) + right.text(spelling, above: 2, using: &random)
        }
        return random.chance(5) ? "(" + bare + ")" : bare
    }

    private var strength: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .not, .tag: 3
        }
    }

    private func text(
        _ spelling: (Int) -> String,
        above needed: Int,
        using random: inout SeededGenerator
    ) -> String {
        let text = text(spelling, using: &random)
        return strength < needed ? "( " + text + ")" : text
    }

    private static func blanks(_ text: String, _ random: inout SeededGenerator) -> String {
        let blanks = ["", " ", "  ", "\t"]
        let before = blanks.randomElement(using: &random) ?? ""
        return before + text + (blanks.randomElement(using: &random) ?? "")
    }
}
