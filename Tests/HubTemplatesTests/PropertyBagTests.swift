import HubTemplates
import HubTestSupport
import Testing

@Suite("Property bags")
struct PropertyBagTests {
    private func value(_ bag: PropertyBag, _ name: String) -> String? {
        bag.value(of: Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("hold strings, and numbers and booleans as their JSON text")
    func values() throws {
        let bag = try TemplateTrial.bag(
            #" {"s":"a\"\u00e9\ud83d\ude00\n","n":-1.50e+3,"t":true,"f":false,"z":null,"e":""} "#
        )
        #expect(value(bag, "s") == "a\"é😀\n")
        #expect(value(bag, "n") == "-1.50e+3")
        #expect(value(bag, "t") == "true")
        #expect(value(bag, "f") == "false")
        #expect(value(bag, "z") == nil)
        #expect(value(bag, "e") == "")
        #expect(value(bag, "x") == nil)
        #expect(try TemplateTrial.bag("{}").count == 0)
    }

    @Test("compare names without case, and the last one wins")
    func duplicates() throws {
        let bag = try TemplateTrial.bag(#"{"Title":"1","b":"x","TITLE":"2","title":"3"}"#)
        #expect(value(bag, "tItLe") == "3")
        #expect(bag.count == 2)
        #expect(value(try TemplateTrial.bag(#"{"a":"1","A":null}"#), "a") == nil)
        #expect(value(try TemplateTrial.bag(#"{"a":"1","A":{"a":"2"}}"#), "a") == nil)
        #expect(value(try TemplateTrial.bag(#"{"a":null,"A":"2"}"#), "a") == "2")
    }

    @Test("accept nested values and names beyond reach")
    func unreachable() throws {
        let bag = try TemplateTrial.bag(
            #"{"a":{"b":"x"},"c":[1,{"d":"y"}],"e-f":"z","é":"w","g":"v"}"#
        )
        for name in ["a", "b", "c", "d", "e-f", "é"] { #expect(value(bag, name) == nil) }
        #expect(value(bag, "g") == "v")
    }

    @Test("find every one of many properties")
    func many() throws {
        var random = SeededGenerator(seed: 3)
        var expected: [String: String] = [:]
        var members: [String] = []
        for index in 0..<2_000 {
            let name = "p\(random.below(1_500))"
            expected[name] = "\(index)"
            members.append("\"\(random.below(2) == 0 ? name : name.uppercased())\":\(index)")
        }
        let bag = try TemplateTrial.bag("{\(members.joined(separator: ","))}")
        #expect(bag.count == expected.count)
        for (name, text) in expected { #expect(value(bag, name) == text) }
    }

    @Test(
        "are refused when they are not a JSON object",
        arguments: [
            ("", JSONFault.unexpectedEnd, 0), ("[]", .notAnObject, 0), ("null", .notAnObject, 0),
            ("{\"a\":tru}", .unexpectedByte, 8), ("{\"a\":\"x\" \"b\"}", .unexpectedByte, 9),
            ("{\"a\":1}x", .trailingBytes, 7), ("{\"a\":\"\\uZZZZ\"}", .badEscape, 6),
            ("{\"a\":\"\\udc00\"}", .loneSurrogate, 6), ("{\"a\":\"\\ud83dx\"}", .loneSurrogate, 6),
            ("{\"a\":\"\\ud83d\\u0041\"}", .loneSurrogate, 6),
        ]
    )
    func refuses(json: String, fault: JSONFault, offset: Int) {
        #expect(throws: PropertyBagError(offset: offset, fault: fault)) {
            try TemplateTrial.bag(json)
        }
    }

    @Test("have at most 65,536 bytes")
    func limit() throws {
        let fits = "{\"a\":\"\(String(repeating: "x", count: 65_536 - 8))\"}"
        #expect(value(try TemplateTrial.bag(fits), "a")?.utf8.count == 65_528)
        #expect(throws: PropertyBagError.self) { try TemplateTrial.bag(fits + " ") }
    }

    @Test("of a send win over variables of the registration, fallbacks come last")
    func variables() throws {
        let bag = try TemplateTrial.bag(#"{"a":"send","c":null}"#)
        let variables = try TemplateTrial.bag(#"{"A":"own","b":"own","c":"own"}"#)
        let body = #"{"v":"{$(a) + ' ' + $(B:{x}) + ' ' + $(c) + ' ' + $(d:{last})}"}"#
        let filled = try TemplateTrial.fill(body, with: bag, variables: variables)
        #expect(filled == #"{"v":"send own own last"}"#)
        let template = try CompiledTemplate(body: Array(body.utf8), syntax: .json)
        #expect(template.readsAny(of: variables))
        #expect(try !template.readsAny(of: TemplateTrial.bag(#"{"nick":"Mara"}"#)))
    }
}

@Suite("JSON validation")
struct JSONTextTests {
    private func error(_ text: String, depthMax: Int = 8, object: Bool = false) -> JSONTextError? {
        let bytes = Array(text.utf8)
        do throws(JSONTextError) {
            try JSONText.validate(bytes.span, depthMax: depthMax, requiresObject: object)
            return nil
        } catch {
            return error
        }
    }

    @Test("accepts any JSON value, and only objects where asked to")
    func accepts() {
        for text in ["{}", " [1, 2] ", "\"x\"", "0", "-1e5", "true", "null"] {
            #expect(error(text) == nil, "\(text)")
            #expect((error(text, object: true) == nil) == (text == "{}"), "\(text)")
        }
    }

    @Test(
        "refuses anything else",
        arguments: ["", " ", "nul", "+1", "1 2", "[1,]", "{,}", "]", "\u{FEFF}1"]
    )
    func refuses(text: String) {
        #expect(error(text) != nil)
    }

    @Test("counts depth")
    func depth() {
        #expect(error("[[[]]]", depthMax: 3) == nil)
        #expect(error("[[[]]]", depthMax: 2) == JSONTextError(offset: 2, fault: .tooDeep(limit: 2)))
    }
}
