import Foundation
import HubTemplates
import HubTestSupport
import Testing

@Suite("XML templates")
struct XMLTemplateTests {
    private static let toast = """
        <toast launch="{'id=' + %(u)}"><visual><binding template="ToastText01">\
        <text id="1">$(m)</text><text id="2">fixed &amp; kept</text></binding></visual></toast>
        """

    @Test("fill attributes and leaf texts, and copy everything else byte for byte")
    func fills() throws {
        let bag = try TemplateTrial.bag(#"{"m":"a<b>&\"c\"","u":"x y"}"#)
        let expected = """
            <toast launch="id=x%20y"><visual><binding template="ToastText01">\
            <text id="1">a&lt;b&gt;&amp;"c"</text><text id="2">fixed &amp; kept</text>\
            </binding></visual></toast>
            """
        #expect(try TemplateTrial.fill(Self.toast, .xml, with: bag) == expected)
    }

    @Test(
        "copy declarations, comments, instructions, blanks and quotes",
        arguments: [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a/>\n",
            "<?xml version='1.0' encoding='utf-8' standalone='no' ?><a b='1' c=\"2\" ></a >",
            "<?xml version=\"1.0\" encoding=\"utf-16\"?><a b='ü'/>",
            "<!-- $(x --><?p $(y ?><a><!-- #1 -->x<?q?></a><!-- end -->", "\u{FEFF}<a/>",
            "<a>\n $(m)\n</a>", "<a>$(m)<b/></a>", "<a>$5 off<b>x</b></a>",
            "<ä:b-c.d xmlns:ä=\"u\"><_x/></ä:b-c.d>", "<a>x &lt; &#233;&#xE9; y</a>", "<a b=''/>",
        ]
    )
    func copies(body: String) throws {
        let bag = TemplateTrial.bag("m", "v")
        #expect(try TemplateTrial.fill(body, .xml, with: bag) == body)
    }

    @Test(
        "take entities, sections and line ends for the text they mean",
        arguments: [
            ("<a>&#36;(m)</a>", "<a>v</a>"), ("<a><![CDATA[$(m)]]></a>", "<a>v</a>"),
            ("<a>{<![CDATA['<' + ]]>$(m)}</a>", "<a>&lt;v</a>"),
            ("<a><!-- c -->$(<!-- d -->m)<?p?></a>", "<a><!-- c -->v<!-- d --><?p?></a>"),
            ("<a>{&quot;it&apos;s &quot; + $(m)}</a>", "<a>it's v</a>"),
            ("<a b=\"{&quot;&lt;&quot; + $(m)}\"/>", "<a b=\"&lt;v\"/>"),
            ("<a b='{\"x\"\n+\r\n$(m)}'/>", "<a b='xv'/>"), ("<a>{'x'\r\n+ $(m)}</a>", "<a>xv</a>"),
            ("<a b=\"#(n)\">#(n)</a>", "<a b=\"3\">3</a>"),
        ]
    )
    func decodes(body: String, expected: String) throws {
        let bag = try TemplateTrial.bag(#"{"m":"v","n":3}"#)
        #expect(try TemplateTrial.fill(body, .xml, with: bag) == expected)
    }

    static let refused: [(String, XMLFault)] = [
        ("<!DOCTYPE a><a/>", .documentType),
        ("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", .documentType),
        ("<a><!ENTITY x \"y\"></a>", .tagMalformed), ("<!doctype a><a/>", .tagMalformed),
        ("<a>&x;</a>", .entityUnknown), ("<a>a & b</a>", .entityUnknown),
        ("<a>&#0;</a>", .entityUnknown),
        ("<a>&#xD800;</a>", .entityUnknown), ("<a>&#x110000;</a>", .entityUnknown),
        ("<a>&#xFFFF;</a>", .entityUnknown), ("<a>&#;</a>", .entityUnknown),
        ("<a>&#x;</a>", .entityUnknown), ("<a>&#-1;</a>", .entityUnknown),
        ("<a b='&y;'/>", .entityUnknown),
        ("<a>\u{1}</a>", .characterInvalid), ("<a>\u{FFFE}</a>", .characterInvalid),
        ("<a", .unexpectedEnd), ("<a>", .unexpectedEnd), ("<a></b>", .tagMismatch),
        ("<a><b></a></b>", .tagMismatch), ("</a>", .tagMismatch), ("<A></a>", .tagMismatch),
        ("<1a/>", .nameInvalid), ("< a/>", .nameInvalid), ("<a 1='x'/>", .nameInvalid),
        ("<a b/>", .tagMalformed),
        ("<a b=c/>", .tagMalformed), ("<a b='x'c='y'/>", .tagMalformed),
        ("<a b='<'/>", .tagMalformed),
        ("<a b='x/>", .unexpectedEnd), ("<a b='1' b='2'/>", .attributeDuplicate),
        ("<a>]]></a>", .sectionEndInText), ("<a><![CDATA[x</a>", .unexpectedEnd),
        ("<a><!-- x -- y --></a>", .commentMalformed), ("<a><!-- x</a>", .unexpectedEnd),
        ("<a><!--x---></a>", .commentMalformed),
        ("<a><?xml version='1.0'?></a>", .declarationMalformed),
        ("<a><?XML?></a>", .declarationMalformed), ("<a><?p </a>", .unexpectedEnd),
        ("<a><?p</a>", .instructionMalformed),
        ("<a><?p+?></a>", .instructionMalformed),
        (" <?xml version='1.0'?><a/>", .declarationMalformed),
        ("<?xml version='1.1'?><a/>", .declarationMalformed),
        ("<?xml encoding='utf-8'?><a/>", .declarationMalformed),
        ("<?xml version='1.0' encoding='UTF-7'?><a/>", .encodingUnsupported("UTF-7")),
        ("<?xml version='1.0' standalone='maybe'?><a/>", .declarationMalformed),
        ("<?xml version='1.0'", .declarationMalformed), ("x<a/>", .textOutsideRoot),
        ("<a/>x", .textOutsideRoot),
        ("<![CDATA[x]]><a/>", .textOutsideRoot), ("<!-- x -->", .rootMissing),
        ("<a/><b/>", .rootNotAlone), ("{\"a\":1}", .textOutsideRoot),
    ]

    @Test("are refused when they are not well-formed", arguments: refused)
    func refuses(body: String, fault: XMLFault) {
        let error = TemplateTrial.error(body, .xml)
        #expect(error?.fault == .xml(fault), "\(body)")
        #expect(error?.reason.isEmpty == false)
    }

    @Test("refuse only what Foundation refuses too, but for document types and the like")
    func agreesOnRefusals() {
        // Foundation's parser is lenient about these, and about an early end.
        let ours: [XMLFault] = [
            .documentType, .encodingUnsupported("UTF-7"), .declarationMalformed, .characterInvalid,
            .unexpectedEnd,
        ]
        for (body, fault) in Self.refused where !ours.contains(fault) {
            #expect(XMLReading.parse(body) == nil, "\(body)")
        }
    }

    @Test("have bounded depth, attributes and expressions")
    func limits() {
        let deep = { (levels: Int) in
            String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
        }
        #expect(TemplateTrial.error(deep(32), .xml) == nil)
        #expect(TemplateTrial.error(deep(33), .xml)?.fault == .xml(.tooDeep))
        let wide = { (count: Int) in
            "<a \((0..<count).map { "b\($0)='$(x)'" }.joined(separator: " "))/>"
        }
        #expect(TemplateTrial.error(wide(64), .xml) == nil)
        #expect(TemplateTrial.error(wide(65), .xml)?.fault == .xml(.tooManyAttributes))
        let many = { (count: Int) in
            "<a>\(String(repeating: "<b c='$(x)'/>", count: count))</a>"
        }
        #expect(TemplateTrial.error(many(256), .xml) == nil)
        #expect(TemplateTrial.error(many(257), .xml)?.fault == .tooManyExpressions)
        let error = TemplateTrial.error { () throws(TemplateError) in
            _ = try CompiledTemplate(body: Array("<a>".utf8) + [0xFF], syntax: .xml)
        }
        #expect(error?.fault == .notUTF8)
        #expect(error?.offset == 3)
    }

    @Test("whatever is inserted, Foundation reads exactly that back", arguments: 0..<16)
    func injection(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let body = "<r><t a=\"$(p)\" b='{\"[\" + $(p) + \"]\"}'>$(p)</t><u><![CDATA[$(p)]]></u></r>"
        let template = try CompiledTemplate(body: Array(body.utf8), syntax: .xml)
        for _ in 0..<100 {
            let text = random.hostileText()
            let carried = String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { scalar in
                        let isControl =
                            scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar)
                        let isLost = isControl || scalar.value == 0xFFFE || scalar.value == 0xFFFF
                        return isLost ? "\u{FFFD}" : scalar
                    }
                )
            )
            let rendered = template.render(TemplateTrial.bag("p", text)).body
            let xml = String(decoding: rendered, as: UTF8.self)
            let found = XMLReading.parse(xml)
            #expect(found?["t@a"] == carried, "seed \(seed): \(xml)")
            #expect(found?["t@b"] == "[\(carried)]", "seed \(seed): \(xml)")
            #expect(found?["t", default: ""] == carried, "seed \(seed): \(xml)")
            #expect(found?["u", default: ""] == carried, "seed \(seed): \(xml)")
        }
    }

    @Test("what compiles renders to XML, whatever the edits", arguments: 0..<16)
    func edits(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let seeds = [
            Self.toast,
            "<?xml version=\"1.0\"?><a b='$(m)'><!-- c --><d>{'x' + $(m)}</d><![CDATA[e]]>&lt;</a>",
        ]
        let alphabet = Array("<>/=\"'&;#x!-?[]CDATA $(m){}+ é\u{1}".utf8)
        let bag = TemplateTrial.bag("m", "<&\"'>]]>")
        var accepted = 0
        for _ in 0..<300 {
            var body = Array(random.pick(seeds).utf8)
            for _ in 0..<random.below(4) {
                let index = random.below(body.count)
                switch random.below(3) {
                case 0: body[index] = random.pick(alphabet)
                case 1: body.remove(at: index)
                default: body.insert(random.pick(alphabet), at: index)
                }
            }
            guard let template = try? CompiledTemplate(body: body, syntax: .xml) else { continue }
            accepted += 1
            let rendered = String(decoding: template.render(bag).body, as: UTF8.self)
            #expect(XMLReading.parse(rendered) != nil, "seed \(seed): \(rendered)")
        }
        #expect(accepted > 30)
    }
}
