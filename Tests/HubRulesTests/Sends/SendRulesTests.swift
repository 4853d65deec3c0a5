import HubModel
import HubRules
import HubTags
import HubVocabulary
import Testing

let sendTime = Timestamp(milliseconds: 1_785_661_920_000)

/// The draft of a send, or its refusal.
func draft(
    _ format: String?,
    _ body: String,
    headers: [(String, String)] = [],
    isDirect: Bool = false,
    handles: [String]? = nil
) -> Result<NotificationDraft, Refusal> {
    var all = headers.map { named($0.0.lowercased(), $0.1) }
    if let format { all.append(named("servicebusnotification-format", format)) }
    let request = SendRequest(
        headers: all,
        isDirect: isDirect,
        handles: handles?.map { Array($0.utf8) },
        body: Array(body.utf8)
    )
    do throws(Refusal) {
        return .success(try SendRules.draft(of: request, now: sendTime))
    } catch { return .failure(error) }
}

/// The field of an `.invalid` refusal; another refusal's text; nil for a draft.
func refusedField(_ result: Result<NotificationDraft, Refusal>) -> String? {
    switch result {
    case .success: nil
    case .failure(.invalid(let field, _)): field
    case .failure(let other): "\(other)"
    }
}

@Suite("Formats and targets of sends")
struct SendTargetTests {
    @Test(
        "name a platform or the templates, without case",
        arguments: [
            (nil, .template), ("", .template), (" Template ", .template),
            ("apple", .native(.apple)),
            ("GCM", .native(.gcm)), ("fcm", .native(.gcm)), ("fcmV1", .native(.fcmV1)),
            ("adm", .native(.adm)), ("xiaomi", .native(.xiaomi)), ("baidu", .native(.baidu)),
            ("browser", .native(.browser)), ("windowsphone", .native(.windowsPhone)),
        ] as [(String?, NotificationFormat)]
    )
    func formats(_ word: String?, _ expected: NotificationFormat) throws {
        #expect(try draft(word, "{\"a\":\"b\"}").get().format == expected)
    }

    @Test(
        "that are unknown or retired are refused with the header's name",
        arguments: [
            "nokiax", "apns", "wns", "template2", "a\u{1}b", String(repeating: "x", count: 99),
        ]
    )
    func unknownFormats(_ word: String) {
        let result = draft(word, "{}")
        #expect(refusedField(result) == "ServiceBusNotification-Format")
        guard case .failure(let refusal) = result else { return }
        #expect(refusal.detail.utf8.count < 200)
        #expect(refusal.detail.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test("go to everybody when no tags are given, or blank ones")
    func broadcast() throws {
        for tags in [
            [], [("ServiceBusNotification-Tags", "")], [("ServiceBusNotification-Tags", " ")],
        ] {
            guard case .broadcast = try draft("gcm", "{}", headers: tags).get().target else {
                Issue.record("\(tags)")
                return
            }
        }
    }

    @Test("go to an expression, whose faults are named by position")
    func expressions() throws {
        func result(_ text: String) -> Result<NotificationDraft, Refusal> {
            draft("gcm", "{}", headers: [("ServiceBusNotification-Tags", text)])
        }
        guard case .tags(let expression) = try result("(a || b) && !c").get().target else {
            Issue.record("no expression")
            return
        }
        #expect(expression.tagCount == 3)
        let many = (0..<21).map { "t\($0)" }.joined(separator: "||")
        for (text, reason) in [
            ("a &&", "byte 4"), ("a,b", "byte 1"), ("(a", "byte 0"), (many, "20 tags"),
        ] {
            guard case .failure(.invalid("ServiceBusNotification-Tags", let told)) = result(text)
            else {
                Issue.record("\(text): \(result(text))")
                continue
            }
            #expect(told.contains(reason), "\(text): \(told)")
        }
    }

    @Test("go to handles in their canonical spelling, each once, when they are direct")
    func direct() throws {
        let header = [("ServiceBusNotification-DeviceHandle", " a1b2 ")]
        let tags = [("ServiceBusNotification-Tags", "not an &&& expression")]
        guard
            case .handles(let one) = try draft(
                "apple",
                "{}",
                headers: header + tags,
                isDirect: true
            ).get().target
        else {
            Issue.record("no handles")
            return
        }
        #expect(one == [Array("A1B2".utf8)])
        let batch = draft("apple", "{}", isDirect: true, handles: ["a1", "A1", "b2"])
        guard case .handles(let two) = try batch.get().target else { return }
        #expect(two == [Array("A1".utf8), Array("B2".utf8)])
    }

    @Test("go to a handle that stands alone, as with the flag; beside tags it means nothing")
    func handleAlone() throws {
        let header = [("ServiceBusNotification-DeviceHandle", "a1b2")]
        guard case .handles(let one) = try draft("apple", "{}", headers: header).get().target
        else {
            Issue.record("a notification for one handle goes to others")
            return
        }
        #expect(one == [Array("A1B2".utf8)])
        let tags = [("ServiceBusNotification-Tags", "World")]
        guard case .tags = try draft("apple", "{}", headers: header + tags).get().target else {
            Issue.record("the handle counts beside tags")
            return
        }
        let blank = [("ServiceBusNotification-DeviceHandle", " ")]
        guard case .broadcast = try draft("apple", "{}", headers: blank).get().target else {
            Issue.record("a blank handle counts")
            return
        }
        #expect(refusedField(draft("template", "{}", headers: header)) != nil)
    }

    @Test("that are direct need handles of the platform, at most a thousand, and no template")
    func directRefusals() {
        let field = "ServiceBusNotification-DeviceHandle"
        #expect(refusedField(draft("apple", "{}", isDirect: true)) == field)
        #expect(refusedField(draft("apple", "{}", isDirect: true, handles: [])) == "devices")
        let batch = draft("apple", "{}", isDirect: true, handles: ["xyz"])
        #expect(refusedField(batch) == "devices")
        #expect(
            refusedField(draft(nil, "{}", isDirect: true, handles: ["a1"]))
                == "ServiceBusNotification-Format"
        )
        let thousand = (0..<1_000).map { "id\($0)" }
        #expect(refusedField(draft("gcm", "{}", isDirect: true, handles: thousand)) == nil)
        let more = draft("gcm", "{}", isDirect: true, handles: thousand + ["x"])
        guard case .failure(.tooManyInRequest(_, limit: 1_000)) = more else {
            Issue.record("\(more)")
            return
        }
    }

    @Test("with a header twice are refused by its name, unless the hub has no use for it")
    func duplicates() {
        let twice = [
            ("ServiceBusNotification-Tags", "a"), ("ServiceBusNotification-Tags", "b"),
            ("x-other", "a"), ("x-other", "b"),
        ]
        #expect(refusedField(draft("gcm", "{}", headers: twice)) == "ServiceBusNotification-Tags")
        #expect(refusedField(draft("gcm", "{}", headers: Array(twice[2...]))) == nil)
        let apple = [("apns-id", "1"), ("apns-id", "2")]
        #expect(refusedField(draft("apple", "{}", headers: apple)) == "apns-id")
        #expect(refusedField(draft("gcm", "{}", headers: apple)) == nil)
    }
}

@Suite("Bodies of sends")
struct SendBodyTests {
    @Test("over 64 KiB, or native ones over 8,192 bytes, are too large")
    func sizes() {
        func object(_ count: Int) -> String {
            "{\"a\":\"" + String(repeating: "b", count: count - 8) + "\"}"
        }
        #expect(refusedField(draft("gcm", object(8_192))) == nil)
        #expect(
            draft("gcm", object(8_193)).failure
                == .tooLarge(field: "payload", bytes: 8_193, limit: 8_192)
        )
        #expect(refusedField(draft(nil, object(65_536))) == nil)
        #expect(
            draft(nil, object(65_537)).failure
                == .tooLarge(field: "body", bytes: 65_537, limit: 65_536)
        )
    }

    @Test(
        "of JSON formats must be one JSON object, with the position of what is not",
        arguments: ["apple", "gcm", "fcmv1", "adm", "xiaomi", "template"]
    )
    func json(_ format: String) {
        for body in ["", "no", "[]", "{\"a\":1,}", "{\"a\":1}x", "{\"a\":\"\u{1}\"}", "{\"a\""] {
            #expect(refusedField(draft(format, body)) == "body", "\(format) \(body)")
        }
        guard case .failure(let refusal) = draft(format, "{\"a\":?}") else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.detail.contains("byte 5"), "\(refusal.detail)")
        let deep = String(repeating: "{\"a\":", count: 65) + "1" + String(repeating: "}", count: 65)
        #expect(refusedField(draft(format, deep)) == "body")
    }

    @Test(
        "of other formats may be anything but empty",
        arguments: ["baidu", "browser", "windowsphone"]
    )
    func anything(_ format: String) {
        #expect(refusedField(draft(format, "any text")) == nil)
        #expect(refusedField(draft(format, "")) == "body")
    }

    @Test("of WNS get the type of their root element, and raw ones may be anything")
    func windows() throws {
        func type(_ body: String, _ headers: [(String, String)] = []) throws -> [NamedValue] {
            try draft("windows", body, headers: headers).get().headers
        }
        #expect(try type("<toast/>") == [named("x-wns-type", "wns/toast")])
        let tile = "\u{FEFF}<?xml version='1.0'?><!-- > --> <tile><visual/></tile>"
        #expect(try type(tile) == [named("x-wns-type", "wns/tile")])
        #expect(try type("<badge value='1'/>") == [named("x-wns-type", "wns/badge")])
        let octets = [("Content-Type", "application/octet-stream")]
        #expect(try type("\u{1}\u{2}", octets) == [named("x-wns-type", "wns/raw")])
        let given = [("X-WNS-Type", "wns/raw")]
        #expect(try type("no XML", given) == [named("x-wns-type", "wns/raw")])
        for (body, headers, field) in [
            ("plain", [], "X-WNS-Type"), ("<other/>", [], "X-WNS-Type"),
            ("<!DOCTYPE toast>", [], "X-WNS-Type"),
            ("<toast", [], "X-WNS-Type"), ("<!-- <toast/>", [], "X-WNS-Type"),
            ("plain", [("X-WNS-Type", "wns/toast")], "body"),
            ("<toast><a></toast>", [], "body"), ("<toast/><toast/>", [], "body"),
            ("<tile a='1' a='2'/>", [("X-WNS-Type", "wns/tile")], "body"),
            ("<toast>&nbsp;</toast>", [], "body"),
            ("<!DOCTYPE a><toast/>", [("X-WNS-Type", "wns/toast")], "body"),
            ("<toast/>", [("X-WNS-Type", "toast")], "X-WNS-Type"),
        ] as [(String, [(String, String)], String)] {
            #expect(refusedField(draft("windows", body, headers: headers)) == field, "\(body)")
        }
    }

    @Test("of WNS and MPNS say where a document is not well-formed")
    func documents() throws {
        for (format, body, reason) in [
            ("windows", "<toast>\n<text id=\"1\">a</toast>", "start tag. (in 'text', at byte 22)"),
            ("windows", "<toast>$(a</toast", "(in 'toast', at byte 17)"),
            ("windowsphone", "<wp:Notification><wp:Toast></wp:Notification>", "at byte 27)"),
        ] {
            guard case .failure(.invalid("body", let told)) = draft(format, body) else {
                Issue.record("\(body): \(draft(format, body))")
                continue
            }
            #expect(told.contains(reason), "\(told)")
        }
        let declared = { (name: String) in "<?xml version=\"1.0\" encoding=\"\(name)\"?><toast/>" }
        for format in ["windows", "windowsphone"] {
            for name in ["utf-16", "UTF-16", "utf-8"] {
                _ = try draft(format, declared(name)).get()
            }
            for name in ["utf-7", "UTF-32", "iso-8859-1"] {
                guard case .failure(.invalid("body", let told)) = draft(format, declared(name))
                else {
                    Issue.record("\(name): \(draft(format, declared(name)))")
                    continue
                }
                #expect(told.contains("declares the encoding '\(name)'"), "\(told)")
            }
        }
        // What a template would take for an expression is text here.
        _ = try draft("windows", "<toast a=\"$(b\">{'c</toast>").get()
    }

    @Test(
        "of MPNS are documents unless their class says that they are raw",
        arguments: [
            ([], "raw", nil), ([], "<a", nil), ([], "<a>", "body"), ([], "<a/>", nil),
            ([("X-NotificationClass", "3")], "<a>", nil),
            ([("X-NotificationClass", "13")], "raw", nil),
            ([("X-NotificationClass", "2")], "raw", "body"),
            ([("X-NotificationClass", "12")], "<a/>", nil),
            ([("X-NotificationClass", "31")], "raw", nil),
            ([("X-NotificationClass", "0")], "<a/>", "X-NotificationClass"),
            ([("X-NotificationClass", "32")], "<a/>", "X-NotificationClass"),
            ([("X-NotificationClass", "toast")], "<a/>", "X-NotificationClass"),
            ([("X-WindowsPhone-Target", "Toast")], "raw", "body"),
            ([("X-WindowsPhone-Target", "token")], "<a>", "body"),
            ([("X-WindowsPhone-Target", "raw")], "raw", nil),
        ] as [([(String, String)], String, String?)]
    )
    func windowsPhone(_ headers: [(String, String)], _ body: String, _ field: String?) {
        #expect(refusedField(draft("windowsphone", body, headers: headers)) == field)
    }
}

extension Result where Failure == Refusal {
    /// The refusal, if it is one.
    fileprivate var failure: Refusal? {
        if case .failure(let refusal) = self { refusal } else { nil }
    }
}
