import HubTestSupport
import HubTags
import Testing

@Suite("Tag rules")
struct TagRulesTests {
    @Test(
        "accept letters and digits of any script and six signs",
        arguments: [
            "World", "username:mara", "locale:fr", "follows_RedSox", "a", "0", "_@#.:-",
            "café", "Ελλάδα", "ニュース", "новости", "عربي", "हिन्दी", "٣٤", "𝒳", "Ⅷ",
        ]
    )
    func accepts(_ tag: String) {
        #expect(TagRules.check(Array(tag.utf8).span) == nil, "\(tag)")
        #expect(TagRules.checkIncludingReserved(Array(tag.utf8).span) == nil, "\(tag)")
    }

    @Test(
        "refuse everything else at the byte where it begins",
        arguments: [
            ("", TagProblem.empty),
            ("a b", .forbidden(position: 1)),
            ("a,b", .forbidden(position: 1)),
            ("$x", .forbidden(position: 0)),
            ("x$", .forbidden(position: 1)),
            ("a=b", .forbidden(position: 1)),
            ("tag!", .forbidden(position: 3)),
            ("(a)", .forbidden(position: 0)),
            ("a\u{0}", .forbidden(position: 1)),
            ("ab\u{7F}", .forbidden(position: 2)),
            ("news📰", .forbidden(position: 4)),
            ("a\u{2028}", .forbidden(position: 1)),
            ("$UserId:{a}", .forbidden(position: 0)),
        ]
    )
    func refuses(_ tag: String, _ problem: TagProblem) {
        let found = TagRules.check(Array(tag.utf8).span)
        #expect(found == problem, "\(tag)")
        #expect(found?.reason.isEmpty == false)
    }

    @Test(
        "refuse bytes that aren't UTF-8 where they begin",
        arguments: [
            ([0x61, 0x80], 1), ([0xC0, 0x80], 0), ([0xC1, 0xBF], 0), ([0xC3], 0),
            ([0x61, 0xE0, 0x80, 0x80], 1), ([0xE2, 0x82], 0), ([0xED, 0xA0, 0x80], 0),
            ([0xF0, 0x80, 0x80, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5], 0),
            ([0xC3, 0xA9, 0xFF], 2), ([0xC3, 0x28], 0), ([0xF0, 0x9D, 0x92], 0),
        ] as [([UInt8], Int)]
    )
    func refusesMalformed(_ bytes: [UInt8], _ position: Int) {
        #expect(TagRules.check(bytes.span) == .malformedUTF8(position: position), "\(bytes)")
    }

    @Test("allow 120 bytes and not 121, whatever the characters")
    func length() {
        for count in [119, 120] {
            #expect(TagRules.check(Array(repeating: 0x61, count: count).span) == nil)
        }
        let long = Array(repeating: 0x61 as UInt8, count: 121)
        #expect(TagRules.check(long.span) == .tooLong(limit: 120))
        let accents = Array(String(repeating: "é", count: 60).utf8)
        #expect(TagRules.check(accents.span) == nil)
        #expect(TagRules.check((accents + [0x61]).span) == .tooLong(limit: 120))
        let reserved = Array("$UserId:{\(String(repeating: "m", count: 110))}".utf8)
        #expect(reserved.count == 120)
        #expect(TagRules.checkIncludingReserved(reserved.span) == nil)
        var longer = reserved
        longer.insert(0x61, at: 20)
        #expect(TagRules.checkIncludingReserved(longer.span) == .tooLong(limit: 120))
    }

    @Test(
        "know the two reserved forms, prefix in any case",
        arguments: [
            ("$InstallationId:{5b0c6f0e-9d2a}", nil),
            ("$installationid:{a=b}", nil),
            ("$USERID:{mara jones}", nil),
            ("$UserId:{é,x}", nil),
            ("$UserId:{}", TagProblem.forbidden(position: 9)),
            ("$UserId:{a", .forbidden(position: 10)),
            ("$UserId:{a}b", .forbidden(position: 11)),
            ("$UserId:{a{b}", .forbidden(position: 10)),
            ("$UserId:{a\n}", .forbidden(position: 10)),
            ("$UserId:a", .forbidden(position: 0)),
            ("$Other:{a}", .forbidden(position: 0)),
            ("$", .forbidden(position: 0)),
        ] as [(String, TagProblem?)]
    )
    func reserved(_ tag: String, _ problem: TagProblem?) {
        #expect(TagRules.checkIncludingReserved(Array(tag.utf8).span) == problem, "\(tag)")
        let isReserved = TagRules.isReserved(Array(tag.utf8).span)
        #expect(isReserved)
    }

    @Test("fold ASCII letters and no other byte")
    func folding() {
        for byte in UInt8.min...UInt8.max {
            let expected =
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
            #expect(TagRules.fold(byte) == expected)
            // The comparison folds eight bytes at once: put the byte at each place of a word.
            for place in 0..<9 {
                var upper = Array("ABCDefghI".utf8)
                var lower = Array("abcdEFGHi".utf8)
                upper[place] = byte
                lower[place] = expected
                let same = TagRules.equal(upper.span, lower.span)
                #expect(same, "\(byte) at \(place)")
            }
        }
    }

    @Test("agree with comparing folded bytes one by one", arguments: 0..<20 as Range<UInt64>)
    func equality(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let count = Int.random(in: 0...40, using: &random)
            let alphabet = Array("aAbBzZ@[`{\u{C3}\u{E3}".utf8)
            let left = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            var right = left.map { random.chance(50) ? TagRules.fold($0) : $0 }
            if random.chance(50), count > 0 {
                right[Int.random(in: 0..<count, using: &random)] =
                    alphabet.randomElement(using: &random) ?? 0
            }
            let same = left.map(TagRules.fold) == right.map(TagRules.fold)
            #expect(TagRules.equal(left.span, right.span) == same, "\(left) \(right) seed \(seed)")
            let cut = Int.random(in: 0...count, using: &random)
            let prefix = Array(right[..<cut])
            let begins = left[..<cut].map(TagRules.fold) == prefix.map(TagRules.fold)
            #expect(TagRules.hasPrefix(left.span, prefix.span) == begins, "seed \(seed)")
        }
        let isPrefix = TagRules.hasPrefix(Array("user".utf8).span, Array("username:".utf8).span)
        #expect(!isPrefix)
    }
}
