import HubTestSupport
import HubTags
import Testing

@Suite("Tag expression")
struct TagExpressionTests {
    private func parse(_ text: String, limits: TagLimits = .standard) -> TagError? {
        do throws(TagError) {
            _ = try TagExpression(parsing: Array(text.utf8), limits: limits)
            return nil
        } catch { return error }
    }

    private func matches(_ text: String, _ tags: String...) throws -> Bool {
        try TagExpression(parsing: Array(text.utf8).span)
            .matches(tags: TagSet(tags.map { Array($0.utf8) }))
    }

    @Test("binds ! before && before ||")
    func precedence() throws {
        #expect(try matches("a || b && c", "a"))
        #expect(try !matches("a || b && c", "b"))
        #expect(try matches("a || b && c", "b", "c"))
        #expect(try !matches("(a || b) && c", "a"))
        #expect(try matches("!a && b", "b"))
        #expect(try !matches("!(a && b)", "a", "b"))
        #expect(try matches("!(a && b)", "a"))
        #expect(try matches("!!a", "a"))
        #expect(try matches("!a||b", "a", "b"))
        #expect(try matches("! ! ! a"))
    }

    @Test("compares tags in any case and asks nothing of tags it doesn't name")
    func folding() throws {
        #expect(try matches("World", "world", "x"))
        #expect(try matches("follows_redsox&&!LOCALE:fr", "follows_RedSox"))
        #expect(try matches("$INSTALLATIONID:{A=b}", "$InstallationId:{a=B}"))
        #expect(try matches("$UserId:{mara, jones} && café", "$UserId:{mara, jones}", "café"))
        #expect(try !matches("a", "ab"))
        #expect(try !matches("a"))
        #expect(try matches("!a"))
    }

    @Test(
        "says what is wrong and where",
        arguments: [
            ("", .emptyExpression),
            (" \t ", .emptyExpression),
            ("a b", .unexpected(position: 2)),
            ("a,b", .unexpected(position: 1)),
            ("a &", .unexpected(position: 2)),
            ("a & b", .unexpected(position: 2)),
            ("a | b", .unexpected(position: 2)),
            ("a &&", .unexpected(position: 4)),
            ("a && ", .unexpected(position: 5)),
            ("&& a", .unexpected(position: 0)),
            ("|| a", .unexpected(position: 0)),
            ("a && || b", .unexpected(position: 5)),
            ("a &&& b", .unexpected(position: 4)),
            ("!", .unexpected(position: 1)),
            ("a!", .unexpected(position: 1)),
            ("a !b", .unexpected(position: 2)),
            ("()", .unexpected(position: 1)),
            ("a)", .unexpected(position: 1)),
            ("(a", .unterminated(position: 0)),
            ("(a || (b)", .unterminated(position: 0)),
            ("x || ( a", .unterminated(position: 5)),
            ("(a b)", .unexpected(position: 3)),
            ("(a, b)", .unexpected(position: 2)),
            ("a || news📰", .unexpected(position: 9)),
            ("a\n|| b", .unexpected(position: 1)),
            ("$", .invalidTag(position: 0)),
            ("a || $Other:{x}", .invalidTag(position: 5)),
            ("$UserId:{", .unterminated(position: 8)),
            ("a && $UserId:{x", .unterminated(position: 13)),
            ("$UserId:{}", .invalidTag(position: 9)),
            ("$UserId:{a\u{1}}", .invalidTag(position: 10)),
            ("$UserId:{a{b}}", .invalidTag(position: 10)),
            ("$UserId:{a}b", .unexpected(position: 11)),
            ("a$UserId:{a}", .unexpected(position: 1)),
        ] as [(String, TagError)]
    )
    func refuses(_ text: String, _ error: TagError) {
        let found = parse(text)
        #expect(found == error, "\(text)")
        #expect(found?.reason.hasSuffix(".") == true)
    }

    @Test("refuses a tag that isn't UTF-8 at its first such byte")
    func malformed() {
        for (bytes, position) in [([0x61, 0xFF], 1), ([0x21, 0xC3], 1), ([0x28, 0xED, 0xA0], 1)] {
            #expect(throws: TagError.invalidTag(position: position)) {
                try TagExpression(parsing: bytes.map(UInt8.init))
            }
        }
        #expect(throws: TagError.invalidTag(position: 9)) {
            try TagExpression(parsing: Array("$UserId:{".utf8) + [0xFF, 0x7D])
        }
    }

    @Test("allows 20 tags with only || and 10 with any other operator")
    func tagLimits() {
        func joined(_ count: Int, _ separator: String) -> String {
            (0..<count).map { "t\($0)" }.joined(separator: separator)
        }
        #expect(parse(joined(19, "||")) == nil)
        #expect(parse(joined(20, "||")) == nil)
        #expect(parse("(" + joined(20, " || ") + ")") == nil)
        #expect(parse(joined(21, "||")) == .tooManyTags(limit: 20))
        #expect(parse(joined(9, "&&")) == nil)
        #expect(parse(joined(10, "&&")) == nil)
        #expect(parse(joined(11, "&&")) == .tooManyTags(limit: 10))
        #expect(parse(joined(10, "||") + " && x") == .tooManyTags(limit: 10))
        #expect(parse(joined(9, "||") + " && x") == nil)
        #expect(parse("!" + joined(10, "||")) == nil)
        #expect(parse("!" + joined(11, "||")) == .tooManyTags(limit: 10))
        #expect(parse(joined(15, "||") + " || !x") == .tooManyTags(limit: 10))
        #expect(parse((0..<11).map { _ in "a" }.joined(separator: "&&")) == .tooManyTags(limit: 10))
        var raised = TagLimits()
        raised.expressionTagsMixedMax = 64
        #expect(parse(joined(64, "&&"), limits: raised) == nil)
        #expect(parse(joined(65, "&&"), limits: raised) == .tooManyTags(limit: 64))
    }

    @Test("allows parentheses 16 deep, tags of 120 bytes and texts of 4,096")
    func otherLimits() {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
        }
        #expect(parse(nested(15)) == nil)
        #expect(parse(nested(16)) == nil)
        #expect(parse(nested(17)) == .nestingTooDeep(position: 16, limit: 16))
        #expect(parse("(a) || (b) || " + nested(16)) == nil)
        #expect(parse(String(repeating: "!", count: 4_000) + "a") == nil)
        let tag = String(repeating: "x", count: 120)
        #expect(parse(tag) == nil)
        #expect(parse("a || \(tag)x") == .tagTooLong(position: 5, limit: 120))
        let blanks = String(repeating: " ", count: 4_095)
        #expect(parse(blanks + "a") == nil)
        #expect(parse(blanks + "aa") == .expressionTooLong(limit: 4_096))
        #expect(throws: TagError.expressionTooLong(limit: 4_096)) {
            try TagExpression(parsing: Array((blanks + "aa").utf8).span)
        }
    }

    @Test("gives its text, its tags and whether it is only ||")
    func parts() throws {
        let text = Array(" a||$UserId:{x y} || B ".utf8)
        let expression = try TagExpression(parsing: text.span)
        #expect(expression.source == text)
        #expect(expression.isOrOnly)
        #expect(expression.tagCount == 3)
        #expect((0..<3).map { expression.tagRange(at: $0) } == [1..<2, 4..<17, 21..<22])
        let second = expression.tag(at: 1)
        #expect(second.count == 13)
        for text in ["a && b", "!a", "a || !b", "(a || b) && c"] {
            #expect(try !TagExpression(parsing: Array(text.utf8)).isOrOnly, "\(text)")
        }
    }

    @Test("holds exactly where the formula it was written from does", arguments: 0..<60)
    func truth(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let size = Int.random(in: 1...10, using: &random)
            let formula = Formula.random(tags: 6, size: size, using: &random)
            let text = formula.text({ "t\($0)" }, using: &random)
            let expression = try TagExpression(parsing: Array(text.utf8))
            for truth in 0..<64 {
                let expected = formula.holds { truth >> $0 & 1 != 0 }
                let tags = (0..<6).filter { truth >> $0 & 1 != 0 }.map { Array("T\($0)".utf8) }
                let found = expression.matches(tags: TagSet(tags))
                #expect(found == expected, "\(text) with \(tags), seed \(seed)")
            }
        }
    }

    @Test(
        "has a cover that every addressed set touches, and none when none is needed",
        arguments: 0..<60
    )
    func cover(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let size = Int.random(in: 1...10, using: &random)
            let formula = Formula.random(tags: 6, size: size, using: &random)
            let text = formula.text({ "t\($0)" }, using: &random)
            let expression = try TagExpression(parsing: Array(text.utf8))
            let costs = (0..<6).map { _ in Int.random(in: 0...100, using: &random) }
            func tag(_ index: Int) -> Int {
                Int(expression.source[expression.tagRange(at: index).upperBound - 1]) - 48
            }
            guard let cover = expression.cover(cost: { costs[tag($0)] }) else { continue }
            var covered: Set<Int> = []
            for index in 0..<expression.tagCount where cover.tags >> UInt64(index) & 1 != 0 {
                covered.insert(tag(index))
            }
            for truth in 0..<64 where formula.holds({ truth >> $0 & 1 != 0 }) {
                let touches = covered.contains { truth >> $0 & 1 != 0 }
                #expect(touches, "\(text) with bits \(truth), seed \(seed)")
            }
        }
        func cost(_ text: String) throws -> Int? {
            try TagExpression(parsing: Array(text.utf8)).cover { 1 << $0 }?.cost
        }
        #expect(try cost("a") == 1)
        #expect(try cost("!a") == nil)
        #expect(try cost("a || !b") == nil)
        #expect(try cost("!a && b") == 2)
        #expect(try cost("a && b && c") == 1)
        #expect(try cost("a || b || c") == 7)
        #expect(try cost("!(a && !b)") == nil)
        #expect(try cost("!(!a && !b)") == 3)
        #expect(try cost("!(!a || b)") == 1)
    }
}
