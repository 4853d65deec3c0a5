import Foundation
import HubTemplates
import HubTestSupport
import Testing

@Suite("JSON templates")
struct JSONTemplateTests {
    @Test("keep order, numbers, blanks and literal spellings byte for byte")
    func copies() throws {
        let body = """
            { "b" : 1.50, "a":[true, null, -0e1, {}],\t"é\\u00e9":"caf\\u00e9 \\/ \\"x\\"", "b":2 }
            """
        #expect(try TemplateTrial.fill(body, with: PropertyBag()) == body)
    }

    @Test("look at string values at any depth, never at keys")
    func leaves() throws {
        let body = ##"{"$(p)":"$(p)","a":[["$(p)"],{"b":"{$(p) + '!'}"}],"$x":"#1"}"##
        #expect(TemplateTrial.error(body)?.fault == .openingParenthesisMissing)
        let fine = #"{"$(p)":"$(p)","a":[["$(p)"],{"b":"{$(p) + '!'}"}],"$x":1}"#
        let expected = #"{"$(p)":"v","a":[["v"],{"b":"v!"}],"$x":1}"#
        #expect(try TemplateTrial.fill(fine, with: TemplateTrial.bag("p", "v")) == expected)
    }

    @Test("decode escapes before they look at the first character")
    func escapes() throws {
        let bag = TemplateTrial.bag("p", "v")
        let value = #""\u0024(p)""#
        #expect(try TemplateTrial.fill(#"{"a":\#(value)}"#, with: bag) == #"{"a":"v"}"#)
        let composite = #"{"a":"{\"say \" + $(p) + '\n\u00e9\ud83d\ude00\\'}"}"#
        #expect(try TemplateTrial.fill(composite, with: bag) == #"{"a":"say v\né😀\\"}"#)
        #expect(TemplateTrial.error(#"{"a":"\u0023x"}"#)?.fault == .openingParenthesisMissing)
    }

    @Test("escape what they insert")
    func inserts() throws {
        let bag = TemplateTrial.bag("p", "\"\\\u{8}\t\n\u{C}\r\u{1}\u{7F}/é")
        let expected = #"{"a":"\"\\\b\t\n\f\r\u0001"# + "\u{7F}/é\"}"
        #expect(try TemplateTrial.fill(#"{"a":"$(p)"}"#, with: bag) == expected)
    }

    @Test(
        "are refused when the body is no JSON object",
        arguments: [
            ("[]", JSONFault.notAnObject), ("\"$(a)\"", .notAnObject), ("1", .notAnObject),
            ("{", .unexpectedEnd), ("{\"a\"}", .unexpectedByte), ("{\"a\":}", .unexpectedByte),
            ("{\"a\":1,}", .unexpectedByte), ("{} {}", .trailingBytes),
            ("{\"a\":01}", .unexpectedByte),
            ("{\"a\":\"\n\"}", .controlCharacter), ("{\"a\":\"\\x\"}", .badEscape),
            ("{\"a\":\"\\ud800\"}", .loneSurrogate), ("{\"a\":-}", .badNumber),
            ("{'a':1}", .unexpectedByte), ("<toast/>", .unexpectedByte),
        ]
    )
    func refuses(body: String, fault: JSONFault) {
        #expect(TemplateTrial.error(body)?.fault == .json(fault))
    }

    @Test("are refused when blank, too large, too deep or not UTF-8")
    func limits() {
        for body in ["", " ", "\n\t"] {
            #expect(TemplateTrial.error(body)?.fault == .bodyBlank)
            #expect(TemplateTrial.error(body, .xml)?.fault == .bodyBlank)
            #expect(TemplateTrial.error(body, .text)?.fault == .bodyBlank)
        }
        let filler = String(repeating: "x", count: 8_192 - 8)
        #expect(TemplateTrial.error("{\"a\":\"\(filler)\"}") == nil)
        #expect(TemplateTrial.error("{\"a\":\"\(filler)x\"}")?.fault == .bodyTooLarge(bytes: 8_193))
        let deep = { (levels: Int) in
            String(repeating: "{\"a\":", count: levels - 1) + "{}"
                + String(repeating: "}", count: levels - 1)
        }
        #expect(TemplateTrial.error(deep(32)) == nil)
        #expect(TemplateTrial.error(deep(33))?.fault == .json(.tooDeep(limit: 32)))
        let error = TemplateTrial.error { () throws(TemplateError) in
            _ = try CompiledTemplate(body: [0x7B, 0x22, 0xC3, 0x28, 0x22], syntax: .json)
        }
        #expect(error?.fault == .json(.notUTF8))
        #expect(error?.offset == 2)
    }

    @Test("have at most 256 expressions")
    func expressionLimit() {
        let list = { (count: Int) in
            "{\"a\":[\(Array(repeating: "\"$(a)\"", count: count).joined(separator: ","))]}"
        }
        #expect(TemplateTrial.error(list(256)) == nil)
        #expect(TemplateTrial.error(list(257))?.fault == .tooManyExpressions)
    }

    @Test("stop growing beyond the payload limit", arguments: [8_192 - 8, 8_192 - 7, 60_000])
    func renderedLimit(length: Int) throws {
        let bag = TemplateTrial.bag("p", String(repeating: "x", count: length))
        let values = Array(repeating: "\"$(p)\"", count: length > 9_000 ? 200 : 1)
        let body = "{\"a\":\(values.joined(separator: ",\"a\":"))}"
        let template = try CompiledTemplate(body: Array(body.utf8), syntax: .json)
        let rendered = template.render(bag)
        #expect(rendered.isTooLarge == (length > 8_192 - 8))
        #expect(rendered.body.count <= 8_192 + 60_000)
    }

    @Test("whatever is inserted, Foundation reads exactly that back", arguments: 0..<16)
    func injection(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let body = ##"{"a":"$(p)","b":["{'[' + $(p) + \"]\"}"],"n":"#(p)","c":"$(q:{\"none\"})"}"##
        let template = try CompiledTemplate(body: Array(body.utf8), syntax: .json)
        for _ in 0..<100 {
            let text = random.hostileText()
            let rendered = template.render(TemplateTrial.bag("p", text)).body
            let json = String(decoding: rendered, as: UTF8.self)
            let object =
                try JSONSerialization.jsonObject(with: Data(rendered)) as? [String: NSObject]
            #expect(object?["a"] == text as NSString, "seed \(seed): \(json)")
            #expect(object?["b"] == ["[\(text)]"] as NSArray)
            #expect(object?["n"] == text as NSString || object?["n"] is NSNumber)
            #expect(object?["c"] == "\"none\"" as NSString)
        }
    }

    @Test("what compiles renders to JSON, whatever the edits", arguments: 0..<16)
    func edits(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let seeds = [
            ##"{"aps":{"alert":"$(m)","badge":"#(n)"},"u":"%(u)","l":[".(m, 5)",1.5e3,null]}"##,
            #"{"data":{"t":"{'a''b' + $(m:{x\\}y}) + \"z\"}","e":"\u00e9\ud83d\ude00"},"k":true}"#,
        ]
        let alphabet = Array("\"\\{}[]:,$.%#()+'eu0d8-tn \u{1}é".utf8)
        let bag = try TemplateTrial.bag(#"{"m":"a\"b\\c\nd","n":"12","u":"x y"}"#)
        var accepted = 0
        for _ in 0..<300 {
            var body = Array(random.pick(seeds).utf8)
            for _ in 0..<random.below(4) { edit(&body, &random, alphabet) }
            guard let template = try? CompiledTemplate(body: body, syntax: .json) else { continue }
            accepted += 1
            let rendered = template.render(bag).body
            let parsed = try? JSONSerialization.jsonObject(with: Data(rendered))
            #expect(
                parsed is NSDictionary,
                "seed \(seed): \(String(decoding: body, as: UTF8.self))"
            )
        }
        #expect(accepted > 30)
    }

    private func edit(_ body: inout [UInt8], _ random: inout SeededGenerator, _ alphabet: [UInt8]) {
        let index = random.below(body.count)
        switch random.below(3) {
        case 0: body[index] = random.pick(alphabet)
        case 1: body.remove(at: index)
        default: body.insert(random.pick(alphabet), at: index)
        }
    }
}
