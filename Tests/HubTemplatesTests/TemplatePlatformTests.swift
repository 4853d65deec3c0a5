import HubTemplates
import HubVocabulary
import Testing

@Suite("Templates by platform")
struct TemplatePlatformTests {
    private static let toast = "<toast><visual><text>$(m)</text></visual></toast>"
    private static let phone = """
        <wp:Notification xmlns:wp="WPNotification"><wp:Toast><wp:Text1>$(m)</wp:Text1></wp:Toast>\
        </wp:Notification>
        """

    private func compile(
        _ platform: Platform,
        _ body: String,
        _ headers: [(String, String)] = []
    ) throws(TemplateError) -> CompiledTemplate {
        let named = headers.map { NamedValue(name: Array($0.0.utf8), value: Array($0.1.utf8)) }
        let definition = TemplateDefinition(name: [], body: Array(body.utf8), headers: named)
        return try CompiledTemplate(definition, platform: platform)
    }

    private func fault(
        _ platform: Platform,
        _ body: String,
        _ headers: [(String, String)] = []
    ) -> TemplateFault? {
        TemplateTrial.error { () throws(TemplateError) in
            _ = try compile(platform, body, headers)
        }?.fault
    }

    @Test("Windows takes the type from the header or from the root element")
    func windows() throws {
        for kind in ["toast", "tile", "badge"] {
            let rendered = try compile(.windows, "<\(kind) a='$(m)'/>").render(PropertyBag())
            let type = NamedValue(name: Array("X-WNS-Type".utf8), value: Array("wns/\(kind)".utf8))
            #expect(rendered.headers == [type])
        }
        let given = try compile(.windows, Self.toast, [("x-wns-type", "wns/tile")])
        #expect(given.render(PropertyBag()).headers.map(\.value) == [Array("wns/tile".utf8)])
        #expect(fault(.windows, Self.toast, [("X-WNS-Type", "$(type)")]) == nil)
        #expect(fault(.windows, "<other/>") == .typeHeaderMissing)
        #expect(fault(.windows, "<other/>", [("X-WNS-Type", "wns/toast")]) == nil)
        #expect(fault(.windows, Self.toast, [("X-WNS-Type", "toast")]) == .typeHeaderInvalid)
        #expect(fault(.windows, "{}", [("X-WNS-Type", "wns/toast")]) == .xml(.textOutsideRoot))
        let full = (0..<16).map { ("h\($0)", "v") }
        #expect(fault(.windows, Self.toast, full) == .tooManyHeaders)
    }

    @Test("Windows raw bodies are XML, JSON or any text")
    func windowsRaw() throws {
        let bag = TemplateTrial.bag("m", "a\"<")
        let cases = [
            ("<a>$(m)</a>", "<a>a\"&lt;</a>"), (#"{"a":"$(m)"}"#, #"{"a":"a\"<"}"#),
            ("$(m)", "a\"<"), ("{'x' + $(m)}", "xa\"<"), ("plain $(m)", "plain $(m)"),
        ]
        for (body, expected) in cases {
            let template = try compile(.windows, body, [("X-WNS-Type", "wns/RAW")])
            #expect(String(decoding: template.render(bag).body, as: UTF8.self) == expected)
        }
        #expect(fault(.windows, "$(m", [("X-WNS-Type", "wns/raw")]) == .closingParenthesisMissing)
    }

    @Test("Windows Phone wants a notification with a toast or tile, unless it is raw")
    func windowsPhone() throws {
        #expect(fault(.windowsPhone, Self.phone) == nil)
        #expect(fault(.windowsPhone, Self.toast) == .rootInvalid)
        let other = "<wp:Notification xmlns:wp='WPNotification'><wp:Other/></wp:Notification>"
        #expect(fault(.windowsPhone, other) == .rootInvalid)
        let empty = "<wp:Notification xmlns:wp='WPNotification'/>"
        #expect(fault(.windowsPhone, empty) == .rootInvalid)
        #expect(fault(.windowsPhone, "$(m)", [("X-NotificationClass", "3")]) == nil)
        #expect(
            fault(.windowsPhone, "$(m)", [("X-NotificationClass", "2")]) == .xml(.textOutsideRoot)
        )
    }

    @Test("Apple headers begin with apns- and hold what they must")
    func apple() {
        let body = #"{"aps":{"alert":"$(m)"}}"#
        let fine = [("apns-priority", "10"), ("apns-expiration", "0"), ("apns-topic", "x")]
        #expect(fault(.apple, body, fine) == nil)
        #expect(
            fault(.apple, body, [("apns-priority", "$(p)"), ("apns-expiration", "$(e)")]) == nil
        )
        #expect(fault(.apple, body, [("X-WNS-Type", "wns/toast")]) == .appleHeaderName)
        #expect(fault(.apple, body, [("apns-priority", "256")]) == .appleHeaderValue)
        #expect(fault(.apple, body, [("apns-expiration", "soon")]) == .appleHeaderValue)
    }

    @Test("all others want a JSON object", arguments: Platform.allCases)
    func others(platform: Platform) {
        guard !platform.templatesAreXML else { return }
        #expect(fault(platform, #"{"data":{"m":"$(m)"}}"#) == nil)
        #expect(fault(platform, Self.toast) == .json(.unexpectedByte))
        #expect(fault(platform, "[]") == .json(.notAnObject))
    }
}
