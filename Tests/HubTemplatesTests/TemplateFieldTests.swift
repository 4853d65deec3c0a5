import HubTemplates
import HubVocabulary
import Testing

@Suite("Template expiry, priority and headers")
struct TemplateFieldTests {
    private func compile(
        expiry: String? = nil,
        priority: String? = nil,
        headers: [(String, String)] = []
    ) throws(TemplateError) -> CompiledTemplate {
        try CompiledTemplate(
            body: Array("{}".utf8),
            syntax: .json,
            expiry: expiry.map { Array($0.utf8) },
            priority: priority.map { Array($0.utf8) },
            headers: headers.map { NamedValue(name: Array($0.0.utf8), value: Array($0.1.utf8)) }
        )
    }

    private func bag(_ text: String) -> PropertyBag { TemplateTrial.bag("p", text) }

    @Test("expiry is 0, a date and time, or nothing")
    func expiries() throws {
        #expect(try compile().render(PropertyBag()).expiry == .none)
        #expect(try compile(expiry: " ").render(PropertyBag()).expiry == .none)
        #expect(try compile(expiry: "0").render(PropertyBag()).expiry == .transient)
        let literal = try compile(expiry: "2026-05-04T09:12:03Z").render(PropertyBag())
        #expect(literal.expiry == .at(unixSeconds: 1_777_885_923))
        let template = try compile(expiry: "$(p)")
        #expect(template.render(bag("0")).expiry == .transient)
        #expect(template.render(bag("05/04/2026 09:12:03")).expiry == literal.expiry)
        #expect(template.render(bag("1969-01-01T00:00:00Z")).expiry == .at(unixSeconds: 0))
        for text in ["", "soon", "00", "-1", "1777885923"] {
            #expect(template.render(bag(text)).expiry == .none, "\(text)")
        }
        let composed = try compile(expiry: "{$(p) + 'T00:00:00Z'}")
        #expect(composed.render(bag("1970-01-02")).expiry == .at(unixSeconds: 86_400))
    }

    @Test("expiry and priority that can never mean anything are refused")
    func refusals() {
        for text in ["soon", "1", "1777885923", "2026-13-01T00:00:00Z"] {
            let error = TemplateTrial.error { () throws(TemplateError) in
                _ = try compile(expiry: text)
            }
            #expect(error?.fault == .expiryInvalid)
            #expect(error?.field == "Expiry")
        }
        for text in ["256", "-1", "high", "1.0"] {
            let error = TemplateTrial.error { () throws(TemplateError) in
                _ = try compile(priority: text)
            }
            #expect(error?.fault == .priorityInvalid)
            #expect(error?.field == "Priority")
        }
        let error = TemplateTrial.error { () throws(TemplateError) in
            _ = try compile(expiry: "$(a")
        }
        #expect(error?.fault == .closingParenthesisMissing)
        #expect(error?.place == .expiry)
    }

    @Test("priority is 0 to 255 or nothing")
    func priorities() throws {
        #expect(try compile().render(PropertyBag()).priority == nil)
        #expect(try compile(priority: " ").render(PropertyBag()).priority == nil)
        #expect(try compile(priority: "10").render(PropertyBag()).priority == 10)
        let template = try compile(priority: "$(p)")
        for (text, priority) in [("0", 0), ("255", 255), ("256", nil), ("x", nil), ("", nil)] {
            #expect(template.render(bag(text)).priority == priority.map(UInt8.init))
        }
    }

    @Test("header values are filled, with control characters as blanks")
    func headers() throws {
        let template = try compile(headers: [("X-WNS-Tag", "$(p)"), ("X-WNS-Group", "fixed")])
        let rendered = template.render(bag("a\r\nX-Evil: 1\u{7F}é")).headers
        let texts = rendered.map { String(decoding: $0.value, as: UTF8.self) }
        #expect(texts == ["a  X-Evil: 1 é", "fixed"])
        #expect(rendered.map(\.name) == ["X-WNS-Tag", "X-WNS-Group"].map { Array($0.utf8) })
    }

    @Test("a header that becomes longer than 255 bytes is left out")
    func longHeaders() throws {
        let template = try compile(headers: [("X-WNS-Tag", "$(p)"), ("X-WNS-Group", "g")])
        let fits = template.render(bag(String(repeating: "x", count: 255)))
        #expect(fits.headers.count == 2)
        let long = template.render(bag(String(repeating: "x", count: 256)))
        #expect(long.headers.map(\.value) == [Array("g".utf8)])
    }

    @Test("apns-expiration and apns-priority headers count when the fields are absent")
    func appleHeaders() throws {
        let headers = [("APNS-Expiration", "$(p)"), ("apns-priority", "5")]
        let template = try compile(headers: headers)
        #expect(template.render(bag("0")).expiry == .transient)
        #expect(template.render(bag("1777885923")).expiry == .at(unixSeconds: 1_777_885_923))
        #expect(template.render(bag("x")).expiry == .none)
        #expect(template.render(bag("x")).priority == 5)
        let both = try compile(expiry: "0", priority: "10", headers: headers)
        #expect(both.render(bag("1777885923")).expiry == .transient)
        #expect(both.render(bag("1777885923")).priority == 10)
    }

    @Test("headers have limits and clean names")
    func headerLimits() throws {
        let many = (0..<16).map { ("h\($0)", "v") }
        _ = try compile(headers: many)
        let cases: [([(String, String)], TemplateFault)] = [
            (many + [("more", "v")], .tooManyHeaders), ([("", "v")], .headerNameInvalid),
            ([("a b", "v")], .headerNameInvalid), ([("a:", "v")], .headerNameInvalid),
            ([("a", "")], .headerValueEmpty), ([("a", " ")], .headerValueEmpty),
            ([("a", "$(x")], .closingParenthesisMissing),
            ([("a", String(repeating: "v", count: 256))], .fieldTooLong),
            ([(String(repeating: "n", count: 256), "v")], .fieldTooLong),
        ]
        for (headers, fault) in cases {
            let error = TemplateTrial.error { () throws(TemplateError) in
                _ = try compile(headers: headers)
            }
            #expect(error?.fault == fault)
        }
        _ = try compile(headers: [("a", String(repeating: "v", count: 255))])
    }
}
