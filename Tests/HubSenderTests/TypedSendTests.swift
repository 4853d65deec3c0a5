import HubClient
import HubSender
import HubWire
import Testing

@Suite("Typed sends")
struct TypedSendTests {
    @Test("expressions hold together as they were written")
    func expressions() {
        // One by one, since the compiler cannot weigh them all together.
        func check(_ expression: TagQuery, _ text: String) {
            #expect(expression.text == text)
        }
        check("World", "World")
        check("World" && "Sports", "World && Sports")
        check("World" || "Sports" || "Science", "World || Sports || Science")
        check("World" && ("Sports" || "Science"), "World && (Sports || Science)")
        check(("World" || "Sports") && !"Science", "(World || Sports) && !Science")
        check("World" && "Sports" || "Science", "World && Sports || Science")
        check("World" || "Sports" && "Science", "World || Sports && Science")
        check(!("World" && "Sports"), "!(World && Sports)")
        check(!("World" || "Sports"), "!(World || Sports)")
        check(!(!"World"), "World")
        check(!(!("World" || "Sports")), "!(!(World || Sports))")
        check(TagQuery(text: "a || b") && "c", "(a || b) && c")
        check(!"a" && !"b", "!a && !b")
        check("a" && "(b || c)", "a && ((b || c))")
    }

    @Test("a tag made of a name holds no operator, blank or control character")
    func tags() throws {
        for name in ["alice", "username:a_b@c#d.e-f", "place:Zürich", "1", "日本"] {
            #expect(try TagQuery(tag: name).text == name)
        }
        for (name, found) in [
            ("a || b", " "), ("a||b", "|"), ("a&&b", "&"), ("!a", "!"), ("(a)", "("), ("a,b", ","),
            ("a\u{0}", "\u{0}"), ("a\u{2003}b", "\u{2003}"), ("a{b}", "{"), ("$x", "$"),
        ] {
            #expect(throws: TagQuery.Fault.character(found), "\(name)") {
                try TagQuery(tag: name)
            }
        }
        #expect(throws: TagQuery.Fault.empty) { try TagQuery(tag: "") }
    }

    @Test("an Apple payload has the members that were given, escaped, in order")
    func apple() {
        #expect(ApplePayload(alert: "Hi").json == #"{"aps":{"alert":"Hi"}}"#)
        #expect(
            ApplePayload(
                alert: "a \"b\"",
                title: "T",
                badge: 0,
                sound: "bell",
                members: [("id", "7"), ("a", "\n")]
            ).json
                == #"{"aps":{"alert":{"title":"T","body":"a \"b\""},"badge":0,"sound":"bell"},"#
                + #""id":"7","a":"\n"}"#
        )
        #expect(
            ApplePayload(silent: [("richId", "7")]).json
                == #"{"aps":{"content-available":1,"sound":""},"richId":"7"}"#
        )
        #expect(ApplePayload(silent: []).json == #"{"aps":{"content-available":1,"sound":""}}"#)
    }

    @Test("each kind has its platform's format, body, media type and headers")
    func kinds() {
        let text = "a \"b\" <c>"
        let all: [(OutgoingNotification, String, String, Int)] = [
            (.template(["m": "x"], to: "W"), "template", #"{"m":"x"}"#, 0),
            (.apple(ApplePayload(alert: text), to: "W"), "apple", "", 0),
            (
                .gcm(["b": text, "a": "1"], to: "W"), "gcm",
                #"{"data":{"b":"a \"b\" <c>","a":"1"}}"#, 0
            ),
            (.fcm(["a": "1"], to: "W"), "fcmv1", #"{"message":{"data":{"a":"1"}}}"#, 0),
            (.adm([:], to: "W"), "adm", #"{"data":{}}"#, 0),
            (.windows(toast: text, to: "W"), "windows", "", 1),
            (.windowsPhone(toast: text, to: "W"), "windowsphone", "", 2),
            (.native(.xiaomi, "{}", to: "W"), "xiaomi", "{}", 0),
            (.alert(text, on: .gcm, to: "W"), "gcm", #"{"data":{"message":"a \"b\" <c>"}}"#, 0),
        ]
        var keys: Set<String> = []
        for (notification, format, body, headers) in all {
            #expect(notification.format.headerValue == format)
            #expect(notification.tags == "W")
            #expect(notification.headers.count == headers, "\(format)")
            let isXML = format.hasPrefix("windows")
            #expect(
                notification.contentType.hasPrefix(isXML ? "application/xml" : "application/json")
            )
            let sent = String(decoding: notification.body, as: UTF8.self)
            if !body.isEmpty { #expect(sent == body) }
            if isXML {
                #expect(sent.contains("a \"b\" &lt;c&gt;") || sent.contains("&quot;b&quot;"))
            }
            keys.insert(notification.idempotencyKey)
        }
        #expect(keys.count == all.count)
    }

    @Test("what a device received is read in the form of any platform")
    func received() throws {
        struct Body: Decodable { var richId: String }
        var notification = ReceivedNotification(
            id: NotificationIdentifier(high: 1, low: 2),
            sequence: 1,
            slot: 0,
            payloadBytes: 0,
            wireBytes: 0,
            receivedAtMilliseconds: 0
        )
        for platform in Platform.allCases {
            notification.payload = Array(PlatformPayload.alert("a <b>", on: platform).utf8)
            #expect(notification.alert == "a <b>", "\(platform)")
        }
        notification.payload = Array(ApplePayload(silent: [("richId", "7")]).json.utf8)
        #expect(notification.alert == nil)
        #expect(try notification.decoded(as: Body.self).richId == "7")
        notification.payload = [0xFF]
        #expect(throws: DecodingError.self) { try notification.decoded(as: Body.self) }
    }

    @Test("only a refusal has a status")
    func status() {
        let refused = RefusedRequest(status: 410, code: 410, detail: "gone")
        #expect(SenderError.refused(refused).status == 410)
        #expect(SenderError.unanswered(reason: "").status == nil)
    }
}
