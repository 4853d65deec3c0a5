import Foundation
import HubTemplates
import Testing

@Suite("Template expressions")
struct TemplateExpressionTests {
    @Test(
        "fill as the examples of the reference",
        arguments: [
            ("$(title)", "Summit"), ("$(TITLE)", "Summit"), ("$(long, 5)", "abcde"),
            (".(long, 8)", "abcde..."), (".(title, 8)", "Summit"),
            ("%(url)", "https%3A%2F%2Fn.example%2Fa%20b"), ("#(title)", "Summit"),
            ("{'New: ' + $(title) + ' (' + $(count) + ')'}", "New: Summit (7)"),
            ("{\"it's \" + $(title)}", "it's Summit"), ("{'it''s ' + $(title)}", "it's Summit"),
            ("$(missing)", ""), ("$(missing:{none})", "none"),
            ("News: $(title)", "News: $(title)"),
        ]
    )
    func examples(value: String, result: String) throws {
        let bag = try TemplateTrial.bag(TemplateTrial.example)
        #expect(try TemplateTrial.value(value, with: bag) == result as NSString)
    }

    @Test("insert a number for # where the property is one")
    func numbers() throws {
        let bag = try TemplateTrial.bag(TemplateTrial.example)
        #expect(try TemplateTrial.fill(##"{"badge":"#(count)"}"##, with: bag) == ##"{"badge":7}"##)
        let numbers = ["0", "-1", "10", "1.5", "0.25e-3", "1E+9", "-0"]
        for text in numbers {
            let bag = TemplateTrial.bag("n", text)
            #expect(try TemplateTrial.fill(##"{"v":"#(n)"}"##, with: bag) == "{\"v\":\(text)}")
        }
        for text in ["", "01", "+1", "1.", ".5", "1e", "0x1", "1 ", "--1", "-", "NaN", "1}"] {
            let bag = TemplateTrial.bag("n", text)
            #expect(try TemplateTrial.fill(##"{"v":"#(n)"}"##, with: bag) == "{\"v\":\"\(text)\"}")
        }
    }

    @Test(
        "cut at characters, not at bytes",
        arguments: [
            ("$(p, 0)", "abc", ""), ("$(p, 3)", "abc", "abc"), ("$(p, 2)", "abc", "ab"),
            ("$(p, 99999)", "abc", "abc"), ("$(p, 2)", "äöü", "äö"), ("$(p, 3)", "äöü", "äöü"),
            ("$(p, 1)", "e\u{301}x", "e\u{301}"), ("$(p, 1)", "👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧"),
            ("$(p, 2)", "🇩🇪🇫🇷🇮🇹", "🇩🇪🇫🇷"), ("$(p, 2)", "ab\u{301}c", "ab\u{301}"),
            ("$(p, 1)", "\r\nx", "\r\n"),
            (".(p, 0)", "abcd", ""), (".(p, 2)", "abcd", "ab"), (".(p, 3)", "abcd", "..."),
            (".(p, 4)", "abcd", "abcd"), (".(p, 4)", "abcde", "a..."), (".(p, 4)", "äöüäö", "ä..."),
            (".(p, 4)", "äöüä", "äöüä"), (".( p , 4 )", "abcde", "a..."),
        ]
    )
    func cuts(value: String, property: String, result: String) throws {
        let found = try TemplateTrial.value(value, with: TemplateTrial.bag("p", property))
        #expect(found == result as NSString)
    }

    @Test("percent-encode everything but unreserved characters")
    func percent() throws {
        let text = "AZaz09-_.~ !\"#$&'()*+,/:;=?@[]%é\n"
        let expected = "AZaz09-_.~%20%21%22%23%24%26%27%28%29%2A%2B%2C%2F%3A%3B%3D%3F%40%5B%5D%25"
        let found = try TemplateTrial.value("%(p)", with: TemplateTrial.bag("p", text))
        #expect(found == "\(expected)%C3%A9%0A" as NSString)
    }

    @Test(
        "accept every form of the grammar",
        arguments: [
            ("$(a)+$(b)", "12"), ("$(a) + 'x' + \"y\"", "1xy"), ("$( a )", "1"), ("$(a) ", "1"),
            ("{ $(a)  +  'x' }", "1x"), ("{'x'}", "x"), ("{'' + $(a)}", "1"), ("{''''}", "'"),
            ("{'a}' + '{b'}", "a}{b"), ("{\"a\"\"b\"}", "a\"b"), ("{'a)b,c'}", "a)b,c"),
            ("$(none:{a\\}b})", "a}b"), ("$(none:{x),y})", "x),y"), ("$(none:{a\\b})", "a\\b"),
            ("$(none:{long one}, 4)", "long"), (".(none:{long one}, 5)", "lo..."),
            ("%(none:{a b})", "a%20b"), ("$(empty:{unused})", ""), ("$(none:{})", ""),
            ("$(body)", "B"), ("$(a, 2147483647)", "1"), ("{$(a) + %(b)}", "12"),
            ("{.(a, 1)}", "1"), ("$(_0)", "u"), ("$(NONE:{Keeps Case})", "Keeps Case"),
            ("$(none:{it's})", "it's"), ("#(none:{5})", "5"),
        ]
    )
    func accepts(value: String, result: String) throws {
        let bag = try TemplateTrial.bag(#"{"a":"1","b":"2","empty":"","body":"B","_0":"u"}"#)
        let found = try TemplateTrial.value(value, with: bag)
        #expect((found as? NSNumber)?.stringValue ?? (found as? String) == result)
    }

    @Test(
        "leave literal what does not begin like one",
        arguments: ["", " ", "\n", " $(a)", "a$(a)", "'a' + $(a)", "\"x\"", "+ $(a)", "($(a))"]
    )
    func literals(value: String) throws {
        let bag = TemplateTrial.bag("a", "1")
        #expect(try TemplateTrial.value(value, with: bag) == value as NSString)
    }

    static let refused: [(String, TemplateFault)] = [
        ("$(title", .closingParenthesisMissing), ("{'a' - 'b'}", .plusExpected),
        ("{#(count) + 'x'}", .hashNotAlone), ("#(a) + 'x'", .hashNotAlone),
        ("$(a) + #(b)", .hashNotAlone), ("{#(a)}", .hashNotAlone),
        ("$5 off", .openingParenthesisMissing), ("...more", .openingParenthesisMissing),
        ("%d items", .openingParenthesisMissing), ("#1", .openingParenthesisMissing),
        ("{x}", .tokenUnknown), ("$", .openingParenthesisMissing), ("{", .compositeUnterminated),
        ("{}", .tokenMissing), ("{  }", .tokenMissing), ("{''}", .tokenTooShort),
        ("{$(a) + ''}", .tokenTooShort), ("{$(a) + }", .tokenMissing), ("$(a) +", .tokenMissing),
        ("{$(a)} ", .compositeUnterminated), ("{'x'", .compositeUnterminated),
        ("{'abc}", .literalUnterminated), ("{\"abc'}", .literalUnterminated),
        ("{'abc''}", .literalUnterminated), ("$(a) $(b)", .plusExpected), ("$(a)x", .plusExpected),
        ("{$(a) 'b'}", .plusExpected), ("{$(a) + x}", .tokenUnknown), ("{+ $(a)}", .tokenUnknown),
        ("$()", .nameInvalid), ("$(a-b)", .nameInvalid), ("$(a b)", .nameInvalid),
        ("$(ä)", .nameInvalid), ("$(a.b)", .nameInvalid), ("$((a))", .nameInvalid),
        ("$(a:x)", .fallbackMalformed), ("$(a:{x)", .fallbackMalformed),
        ("$(a:{x}y)", .fallbackMalformed), ("{$(a:{x\\})}", .fallbackMalformed),
        ("$(a, x)", .lengthInvalid), ("$(a, -1)", .lengthInvalid), ("$(a,)", .lengthInvalid),
        ("$(a, 1.5)", .lengthInvalid), ("$(a, 1 2)", .lengthInvalid),
        ("$(a, 2147483648)", .lengthInvalid), (".(a)", .commaRequired), (".(a, )", .lengthInvalid),
        ("%(a, 1)", .commaNotAllowed), ("#(a, 1)", .commaNotAllowed),
        ("$body", .wholeBodyUnsupported), ("$Body", .wholeBodyUnsupported),
        ("{'x' + $BODY}", .wholeBodyUnsupported),
    ]

    @Test("are refused with their reason", arguments: refused)
    func refuses(value: String, fault: TemplateFault) throws {
        let error = TemplateTrial.error(try TemplateTrial.jsonBody(value))
        #expect(error?.fault == fault, "\(value)")
        #expect(error?.path == "v")
        #expect(error?.field == "BodyTemplate")
        #expect(error?.reason.contains("at byte") == true)
    }

    @Test("count names and lengths at, below and above their limits")
    func nameLimits() throws {
        let longest = String(repeating: "n", count: 120)
        let bag = TemplateTrial.bag(longest.uppercased(), "x")
        #expect(try TemplateTrial.value("$(\(longest))", with: bag) == "x" as NSString)
        let error = TemplateTrial.error(try TemplateTrial.jsonBody("$(\(longest)n)"))
        #expect(error?.fault == .nameTooLong)
        let tokens = Array(repeating: "$(p)", count: 64).joined(separator: "+")
        let found = try TemplateTrial.value(tokens, with: TemplateTrial.bag("p", "x"))
        #expect(found == String(repeating: "x", count: 64) as NSString)
        let more = TemplateTrial.error(try TemplateTrial.jsonBody(tokens + "+$(p)"))
        #expect(more?.fault == .tooManyTokens)
    }

    @Test("say where the fault is")
    func positions() {
        let body = #"{"aps":{"alert":["ok","$(a) - $(b)"]}}"#
        let error = TemplateTrial.error(body)
        #expect(error?.path == "aps.alert[1]")
        #expect(error?.offset == 28)
        let xml = TemplateTrial.error(#"<toast><text id="$(a">x</text></toast>"#, .xml)
        #expect(xml?.path == "text@id")
        #expect(xml?.offset == 17)
        let text = TemplateTrial.error("<toast><text>$(a, b)</text></toast>", .xml)
        #expect(text?.path == "text")
        #expect(text?.offset == 18)
    }
}
