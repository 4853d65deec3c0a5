import HubModel
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import Testing

/// Content with one tag, or the given ones.
func content(
    _ platform: Platform,
    handle: String,
    tags: [String] = ["World"],
    template: TemplateDefinition? = nil,
    variables: [(String, String)] = [],
    tile: String = "",
    fields: [(String, String)] = []
) -> RegistrationContent {
    RegistrationContent(
        platform: platform,
        handle: Array(handle.utf8),
        tags: TagSet(tags.map { Array($0.utf8) }),
        template: template,
        pushVariables: variables.map { named($0.0, $0.1) },
        secondaryTileName: Array(tile.utf8),
        platformFields: fields.map { named($0.0, $0.1) }
    )
}

func named(_ name: String, _ value: String) -> NamedValue {
    NamedValue(name: Array(name.utf8), value: Array(value.utf8))
}

private let keys = [("P256DH", "BNc_x-Q"), ("Auth", "tBHItJI5svbpez7KI4CCXg==")]

/// What a platform needs beside its handle.
private func fields(_ platform: Platform) -> [(String, String)] {
    platform == .browser ? keys : []
}

/// The stored handle, or the field and reason of the refusal.
private func handle(_ platform: Platform, _ text: String) -> Result<String, Refusal> {
    do throws(Refusal) {
        let checked = try content(platform, handle: text, fields: fields(platform)).validated()
        return .success(String(decoding: checked.handle, as: UTF8.self))
    } catch {
        return .failure(error)
    }
}

private func refusal(_ content: RegistrationContent) -> (field: String, reason: String)? {
    do throws(Refusal) {
        _ = try content.validated()
        return nil
    } catch {
        guard case .invalid(let field, let reason) = error else { return ("\(error)", "") }
        return (field, reason)
    }
}

private func template(
    _ body: String,
    name: String = "",
    expiry: String = "",
    priority: String = "",
    headers: [(String, String)] = []
) -> TemplateDefinition {
    TemplateDefinition(
        name: Array(name.utf8),
        body: Array(body.utf8),
        expiry: Array(expiry.utf8),
        priority: Array(priority.utf8),
        headers: headers.map { named($0.0, $0.1) }
    )
}

private let own = "0102030405060708090A0B0C0D0E0F100102030405060708090A0B0C0D0E0F10"

@Suite("Handles of registrations")
struct RegistrationHandleTests {
    @Test(
        "are stored as the service returns them",
        arguments: [
            (.apple, "a1b2c3", "A1B2C3"), (.apple, " A1B2 ", "A1B2"),
            (.windows, "https://some.url", "https://some.url/"),
            (.windows, "HTTPS://Some.URL:443/Path?Q=1", "https://some.url/Path?Q=1"),
            (.windowsPhone, "http://some.url:80", "http://some.url/"),
            (.windowsPhone, "http://some.url:8080/x", "http://some.url:8080/x"),
            (.windows, "https://some.url?x=y", "https://some.url/?x=y"),
            (.windows, "https://[::1]:443/x", "https://[::1]/x"),
            (.windows, own.lowercased(), own), (.browser, own.lowercased(), own),
            (.windows, "urn:belfry:" + own, own), (.windows, "URN:Belfry:" + own.lowercased(), own),
            (.windowsPhone, " urn:belfry:\(own) ", own), (.browser, "urn:belfry:" + own, own),
            (.browser, "https://push.example.net/a-B_c", "https://push.example.net/a-B_c"),
            (.gcm, " APA91b:x-y_z ", "APA91b:x-y_z"), (.fcmV1, "ключ", "ключ"),
            (.adm, "amzn1.adm", "amzn1.adm"), (.xiaomi, "x", "x"),
            (.baidu, "user-channel", "user-channel"), (.baidu, "channel", "channel"),
            (.baidu, "-channel", "-channel"),
        ] as [(Platform, String, String)]
    )
    func accepted(_ platform: Platform, _ given: String, _ stored: String) throws {
        #expect(try handle(platform, given).get() == stored)
    }

    @Test(
        "that a platform cannot have are refused by the name of their element",
        arguments: [
            (.apple, "", "DeviceToken"), (.apple, " ", "DeviceToken"),
            (.apple, "abc", "DeviceToken"),
            (.apple, "xyzw", "DeviceToken"), (.apple, "<a1b2>", "DeviceToken"),
            (.apple, "a1 b2", "DeviceToken"), (.windows, "some.url", "ChannelUri"),
            (.windows, "/relative", "ChannelUri"), (.windows, "https://", "ChannelUri"),
            (.windows, "https:///x", "ChannelUri"), (.windows, "https://a b/", "ChannelUri"),
            (.windows, "ftp://some.url/", "ChannelUri"), (.windows, "https://u@h/", "ChannelUri"),
            (.windows, "https://h:0/", "ChannelUri"), (.windows, "https://h:1:2/", "ChannelUri"),
            (.windows, "https://[::1/", "ChannelUri"), (.windows, "https://[::1]x/", "ChannelUri"),
            (.windows, "https://[]/", "ChannelUri"), (.windows, "https://:1/", "ChannelUri"),
            (.windows, "https://h/<", "ChannelUri"),
            (.windowsPhone, "https://h/\u{7F}", "ChannelUri"), (.windows, "0A", "ChannelUri"),
            (.windows, "urn:belfry:0A", "ChannelUri"), (.windows, "urn:x:" + own, "ChannelUri"),
            (.windows, "urn:belfry:\(own)0", "ChannelUri"),
            (.apple, "urn:belfry:" + own, "DeviceToken"),
            (.browser, "http://push.example.net/x", "Endpoint"), (.browser, "x", "Endpoint"),
            (.gcm, " ", "GcmRegistrationId"), (.gcm, "a\u{1}b", "GcmRegistrationId"),
            (.fcmV1, "", "FcmV1RegistrationId"), (.adm, "", "AdmRegistrationId"),
            (.xiaomi, "\t", "XiaomiRegistrationId"), (.baidu, "user-", "BaiduChannelId"),
            (.baidu, "-", "BaiduChannelId"), (.baidu, "", "BaiduChannelId"),
            (.gcm, String(repeating: "x", count: 4_097), "GcmRegistrationId"),
        ] as [(Platform, String, String)]
    )
    func refused(_ platform: Platform, _ given: String, _ field: String) {
        guard case .failure(.invalid(field, _)) = handle(platform, given) else {
            Issue.record("\(platform) \(given): \(handle(platform, given))")
            return
        }
    }

    @Test("stay the same when they are validated again", arguments: Platform.allCases)
    func idempotent(_ platform: Platform) throws {
        let addresses: [Platform] = [.windows, .windowsPhone, .browser]
        let given = addresses.contains(platform) ? "HTTPS://Host:443" : own.lowercased()
        let once = try handle(platform, given).get()
        #expect(try handle(platform, once).get() == once)
    }

    @Test("of browsers and Baidu come with further fields that are checked")
    func platformFields() {
        let endpoint = "https://push.example.net/x"
        #expect(refusal(content(.browser, handle: endpoint, fields: keys)) == nil)
        #expect(refusal(content(.browser, handle: endpoint, fields: [keys[0]]))?.field == "Auth")
        #expect(refusal(content(.browser, handle: own, fields: [])) == nil)
        let wrong = [("p256dh", "not base64!"), keys[1]]
        #expect(refusal(content(.browser, handle: endpoint, fields: wrong))?.field == "P256DH")
        #expect(refusal(content(.baidu, handle: "c", fields: [("MessageType", "1")])) == nil)
        let baidu = refusal(content(.baidu, handle: "c", fields: [("MessageType", "one")]))
        #expect(baidu?.field == "MessageType")
        let long = String(repeating: "x", count: 1_025)
        #expect(
            refusal(content(.windows, handle: "https://h", tile: long))?.field
                == "SecondaryTileName"
        )
        #expect(refusal(content(.gcm, handle: "x", fields: [("Other", long)]))?.field == "Other")
        let many = (0..<9).map { ("Field\($0)", "x") }
        #expect(refusal(content(.gcm, handle: "x", fields: many)) != nil)
    }
}

@Suite("Tags of registrations")
struct RegistrationTagTests {
    @Test(
        "of free form are accepted, also many and of any script",
        arguments: [
            [], ["World"], ["a_b@c#d.e:f-g"], ["Züge", "政治"], (0..<72).map { "tag\($0)" },
            ["$UserId:{mara}", "World"], [String(repeating: "t", count: 120)],
        ]
    )
    func accepted(_ tags: [String]) {
        #expect(refusal(content(.gcm, handle: "x", tags: tags)) == nil)
    }

    @Test(
        "of a form the hub keeps for itself, or of none, are refused with the reason",
        arguments: [
            (["$InstallationId:{1}"], "Tags can not start with $."),
            (["ok", "$other"], "Tags can not start with $."), (["$"], "Tags can not start with $."),
            (["$UserId:{a}", "$userid:{b}"], "At most one $UserId tag"),
            (["$UserId:mara"], "An invalid tag(s) '$UserId:mara' was supplied, number 1."),
            (["fine", "not fine"], "An invalid tag(s) 'not fine' was supplied, number 2."),
            (["a,b"], "An invalid tag(s) 'a,b' was"), (["a\u{1}\n"], "'a\u{FFFD}\u{FFFD}'"),
            ([String(repeating: "t", count: 121)], "121"),
        ]
    )
    func refused(_ tags: [String], _ expected: String) {
        let refused = refusal(content(.gcm, handle: "x", tags: tags))
        #expect(refused?.field == "Tags", "\(tags)")
        let isLong = tags[0].utf8.count > 120
        #expect(
            refused?.reason.contains(isLong ? "120 bytes" : expected) == true,
            "\(refused as Any)"
        )
    }

    @Test("may have 8,000 bytes joined by commas, and not one more")
    func size() {
        // 80 tags of 99 bytes and 79 commas: 7,999.
        var tags = (0..<80).map { "\($0 + 10)" + String(repeating: "x", count: 97) }
        tags[0] += "y"
        #expect(refusal(content(.gcm, handle: "x", tags: tags)) == nil)
        tags[0] += "y"
        let refused = refusal(content(.gcm, handle: "x", tags: tags))
        #expect(refused?.field == "Tags")
        #expect(
            refused?.reason == "Registration Tags serialized size is more than maximum supported "
                + "value. Actual Size: '8001' and Max Allowed Size: '8000'"
        )
    }
}

@Suite("Protected tags")
struct ProtectedTagsTests {
    private func first(_ tags: [String], _ protected: ProtectedTags = ProtectedTags()) -> String? {
        protected.firstProtected(in: TagSet(tags.map { Array($0.utf8) }))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("are found by their folded prefix and named as spelled")
    func prefixes() {
        #expect(first(["World", "username", "from", "fromage:brie", "xusername:y"]) == nil)
        #expect(first(["World", "UserName:Mara", "from:ada"]) == "UserName:Mara")
        #expect(first(["FROM:ada"]) == "FROM:ada")
        #expect(first(["$UserId:{mara}"]) == "$UserId:{mara}")
        #expect(first([]) == nil)
    }

    @Test("can be configured, but for those that begin with $")
    func configured() {
        let protected = ProtectedTags(prefixes: ["vip:", ""])
        #expect(first(["username:mara"], protected) == nil)
        #expect(first(["VIP:mara"], protected) == "VIP:mara")
        #expect(first(["$x"], protected) == "$x")
    }

    @Test("are free to all when the switch is on, and to Manage always")
    func grants() throws {
        let tags = TagSet([Array("username:mara".utf8)])
        var protected = ProtectedTags()
        let listen = AccessGrant(rule: "l", rights: [.listen])
        let manage = AccessGrant(rule: "m", rights: [.listen, .manage])
        #expect(throws: Refusal.protectedTag("username:mara")) {
            try protected.check(tags, for: listen)
        }
        try protected.check(tags, for: manage)
        protected.listenMaySetProtectedTags = true
        try protected.check(tags, for: listen)
        #expect(first(["username:mara"], protected) == nil)
        let isProtected = protected.isProtected(tags.bytes.span)
        #expect(isProtected)
    }
}

@Suite("Templates of registrations")
struct RegistrationTemplateTests {
    private func refused(
        _ platform: Platform,
        _ handle: String,
        _ template: TemplateDefinition
    ) -> String? {
        refusal(content(platform, handle: handle, template: template))?.field
    }

    @Test("of WNS get the type of their root element when they name none")
    func windowsType() throws {
        let body = "<?xml version=\"1.0\"?>\n<!-- x --><toast><text>$(m)</text></toast>"
        let checked = try content(.windows, handle: "https://h", template: template(body))
            .validated()
        #expect(checked.template?.headers == [named("X-WNS-Type", "wns/toast")])
        let again = try checked.validated()
        #expect(again.template == checked.template)
        let given = template(body, headers: [("x-wns-type", "wns/raw")])
        let kept = try content(.windows, handle: "https://h", template: given).validated()
        #expect(kept.template?.headers == given.headers)
        #expect(refused(.windows, "https://h", template("<other/>")) == "header 'X-WNS-Type'")
        #expect(refused(.windows, "https://h", template("<toast>")) == "BodyTemplate")
    }

    @Test("are refused by the element that is wrong")
    func fields() {
        let good = "{\"aps\":{\"alert\":\"$(m)\"}}"
        #expect(refused(.apple, "A1", template(good, expiry: "0", priority: "5")) == nil)
        #expect(refused(.apple, "A1", template(good, expiry: "$(e)")) == nil)
        #expect(refused(.apple, "A1", template(good, expiry: "2026-08-02T09:12:00Z")) == nil)
        #expect(refused(.apple, "A1", template(good, expiry: "soon")) == "Expiry")
        #expect(refused(.apple, "A1", template(good, priority: "256")) == "Priority")
        #expect(refused(.apple, "A1", template("")) == "BodyTemplate")
        #expect(refused(.apple, "A1", template("{\"a\":\"$5\"}")) == "BodyTemplate")
        #expect(refused(.gcm, "x", template("[]")) == "BodyTemplate")
        let long = String(repeating: "n", count: 201)
        #expect(refused(.gcm, "x", template(good, name: String(long.dropLast()))) == nil)
        #expect(refused(.gcm, "x", template(good, name: long)) == "TemplateName")
        #expect(refused(.gcm, "x", template(good, name: "a\nb")) == "TemplateName")
        let body = "{\"a\":\"" + String(repeating: "b", count: 8_184) + "\"}"
        #expect(refused(.gcm, "x", template(body)) == nil)
        #expect(refused(.gcm, "x", template(body + " ")) == "BodyTemplate")
    }

    @Test("have headers within their limits, each once")
    func headers() {
        let good = "{\"aps\":{}}"
        func field(_ headers: [(String, String)]) -> String? {
            refused(.apple, "A1", template(good, headers: headers))
        }
        #expect(field([("apns-topic", "x"), ("apns-priority", "$(p)")]) == nil)
        #expect(field([("topic", "x")]) == "header 'topic'")
        #expect(field([("apns-topic", "")]) == "header 'apns-topic'")
        #expect(field([("apns-topic", "x"), ("APNS-Topic", "y")]) == "headers")
        #expect(field((0..<17).map { ("apns-\($0)", "x") }) != nil)
        let value = String(repeating: "v", count: 240)
        #expect(field((0..<9).map { ("apns-\($0)", value) }) == "headers")
    }

    @Test("compile when they were validated")
    func compiled() throws {
        let valid = try content(.gcm, handle: "x", template: template("{\"a\":\"$(b)\"}"))
            .validated()
        let compiled = try #require(try valid.compiledTemplate())
        let rendered = compiled.render(PropertyBag([named("b", "c")]), variables: nil)
        #expect(String(decoding: rendered.body, as: UTF8.self) == "{\"a\":\"c\"}")
        #expect(try content(.gcm, handle: "x").compiledTemplate() == nil)
    }

    @Test("come with push variables of proper names, the last of equal ones")
    func pushVariables() throws {
        let given = [("nick", "Mara"), ("Home", "x"), ("NICK", "Ada")]
        let checked = try content(.gcm, handle: "x", variables: given).validated()
        #expect(checked.pushVariables == [named("Home", "x"), named("NICK", "Ada")])
        for wrong in ["", "a b", "a-b", String(repeating: "n", count: 121)] {
            let refused = refusal(content(.gcm, handle: "x", variables: [(wrong, "v")]))
            #expect(refused?.field == "PushVariables", "\(wrong)")
        }
        let long = String(repeating: "v", count: 1_025)
        #expect(
            refusal(content(.gcm, handle: "x", variables: [("a", long)]))?.field == "PushVariables"
        )
        let many = (0..<33).map { ("v\($0)", "x") }
        #expect(refusal(content(.gcm, handle: "x", variables: many))?.field == "PushVariables")
    }
}
