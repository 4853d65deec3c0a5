import HubDirectory
import HubModel
import HubREST
import HubTags
import HubVocabulary
import Testing

@Suite("Sends")
struct SendTests {
    private static let id = "019df1c0d7e37b5a917d5c0a9be83f10-20260504065040-17-1"

    /// The draft of the last command; nil when there was none.
    private static func draft(_ harness: RESTHarness) -> NotificationDraft? {
        guard let draft = harness.hub.last(Send.self)?.draft else { return nil }
        return draft
    }

    private static func summary(_ draft: NotificationDraft?) -> String {
        guard let draft else { return "none" }
        let format =
            switch draft.format {
            case .native(let platform): platform.format
            case .template: "template"
            }
        let target =
            switch draft.target {
            case .broadcast: "everybody"
            case .tags(let expression): "[\(String(expression.source))]"
            case .handles(let handles): "\(handles.map { String($0) })"
            case .slots(let targets): "\(targets)"
            }
        return "\(format) \(target) \(String(draft.body))"
    }

    @Test(
        "answer 201 with the notification's address, byte for byte",
        arguments: [
            ("/news/messages/?api-version=2015-01", "/news/messages/ID?api-version=2015-01"),
            ("/news/messages", "/news/messages/ID"),
            (
                "/News/Messages?foo=a+b&api-version=2020-06",
                "/News/Messages/ID?api-version=2020-06&foo=a+b"
            ),
        ]
    )
    func golden(_ uri: String, _ location: String) async throws {
        let harness = RESTHarness()
        let tracking = "0c0f2f0e-6c39-4f0e-9a3c-6f8e6b1d2a77"
        let reply = try await harness.send(
            .post,
            uri,
            token: "Send",
            headers: [("TrackingId", tracking)],
            body: #"{"messageParam":"hello"}"#
        )
        #expect(reply.status == 201, "\(reply.body)")
        #expect(reply.body.isEmpty)
        #expect(reply["Content-Length"] == "0")
        #expect(reply["Content-Type"] == "application/xml; charset=utf-8")
        #expect(reply["TrackingId"] == tracking)
        #expect(reply["x-ms-correlation-request-id"]?.utf8.count == 36)
        #expect(reply["Location"] == "https://localhost" + location.replacing("ID", with: Self.id))
    }

    @Test("carry their idempotency key under the rule that signed, or are refused by its name")
    func idempotency() async throws {
        let harness = RESTHarness()
        var found: [IdempotencyKey] = []
        for token in ["Send", "Send", "Send+Manage"] {
            let reply = try await harness.send(
                .post,
                "/news/messages",
                token: token,
                headers: [("idempotency-key", "one"), ("TrackingId", "\(found.count)")],
                body: "{}"
            )
            #expect(reply.status == 201, "\(reply.body)")
            found.append(try #require(Self.draft(harness)?.idempotency))
        }
        #expect(found[0] == found[1])
        #expect(found[2].scope != found[0].scope && found[2].fingerprint == found[0].fingerprint)
        let reply = try await harness.send(
            .post,
            "/news/messages",
            headers: [("Idempotency-Key", String(repeating: "k", count: 65))],
            body: "{}"
        )
        #expect(reply.status == 400)
        #expect(reply.body.contains("Idempotency-Key: must have 1 to 64 bytes"), "\(reply.body)")
        harness.hub.change { $0.refusal = .idempotencyConflict }
        let conflict = try await harness.send(.post, "/news/messages", body: "{}")
        #expect(conflict.status == 409)
        #expect(conflict.body.contains("SubCode=40900. Idempotency-Key: "), "\(conflict.body)")
    }

    @Test(
        "reach the core in every format",
        arguments: [
            (String?.none, #"{"a":"b"}"#, "template"), ("template", #"{"a":"b"}"#, "template"),
            ("Template", "{}", "template"), ("apple", #"{"aps":{"alert":"x"}}"#, "apple"),
            ("APPLE", #"{"aps":{}}"#, "apple"), ("gcm", #"{"data":{"a":"b"}}"#, "gcm"),
            ("fcm", #"{"data":{"a":"b"}}"#, "gcm"), ("fcmV1", #"{"message":{}}"#, "fcmv1"),
            ("windows", "<toast><text>x</text></toast>", "windows"),
            ("windowsphone", "<wp:Notification/>", "windowsphone"), ("adm", #"{"data":{}}"#, "adm"),
            ("baidu", "text", "baidu"), ("browser", "any", "browser"), ("xiaomi", "{}", "xiaomi"),
        ] as [(String?, String, String)]
    )
    func formats(_ format: String?, _ body: String, _ name: String) async throws {
        let harness = RESTHarness()
        var headers = [("Content-Type", "text/plain; charset=wrong")]
        if let format { headers.append(("ServiceBusNotification-Format", format)) }
        let reply = try await harness.send(.post, "/news/messages/", headers: headers, body: body)
        #expect(reply.status == 201, "\(reply.body)")
        #expect(Self.summary(Self.draft(harness)) == "\(name) everybody \(body)")
    }

    @Test(
        "are for tags, expressions or everybody",
        arguments: [
            (String?.none, "everybody"), ("", "everybody"), ("  ", "everybody"),
            ("World", "[World]"),
            ("Politics && !locale:fr", "[Politics && !locale:fr]"), ("a||b", "[a||b]"),
            ("(follows_RedSox || follows_Cardinals) && location_Boston", nil),
            ("$InstallationId:{x=1}", "[$InstallationId:{x=1}]"), ("Zürich", "[Zürich]"),
        ] as [(String?, String?)]
    )
    func tags(_ expression: String?, _ target: String?) async throws {
        let harness = RESTHarness()
        let headers = expression.map { [("servicebusnotification-tags", $0)] } ?? []
        let reply = try await harness.send(.post, "/news/messages", headers: headers, body: "{}")
        #expect(reply.status == 201, "\(reply.body)")
        let expected = target ?? "[\(expression ?? "")]"
        #expect(Self.summary(Self.draft(harness)) == "template \(expected) {}")
    }

    @Test(
        "go direct with every spelling of the flag",
        arguments: [
            "direct&api-version=2015-04", "api-version=2017-04&direct", "direct=", "direct=true",
            "Direct=1", "%64irect",
        ]
    )
    func direct(_ query: String) async throws {
        let harness = RESTHarness()
        let headers = [
            ("ServiceBusNotification-Format", "apple"),
            ("ServiceBusNotification-DeviceHandle", "ab12"),
            ("ServiceBusNotification-Tags", "ignored"),
        ]
        let uri = "/news/messages/?\(query)"
        let reply = try await harness.send(.post, uri, headers: headers, body: #"{"aps":{}}"#)
        #expect(reply.status == 201, "\(reply.body)")
        #expect(Self.summary(Self.draft(harness)) == #"apple ["AB12"] {"aps":{}}"#)
        let location = try #require(reply["Location"])
        #expect(location.contains("/news/messages/\(Self.id)?"))
        #expect(location.lowercased().contains("irect"))
    }

    @Test("hand on the platform's headers and none of the caller's secrets")
    func headers() async throws {
        let harness = RESTHarness()
        let headers = [
            ("ServiceBusNotification-Format", "apple"), ("X-Apns-Push-Type", "alert"),
            ("apns-collapse-id", "score"), ("apns-priority", "10"), ("User-Agent", "NHub/2020-06"),
        ]
        _ = try await harness.send(.post, "/news/messages", headers: headers, body: "{}")
        let draft = try #require(Self.draft(harness))
        let names = draft.headers.map { String($0.name) }.filter { $0 != "apns-expiration" }
        #expect(names.sorted() == ["apns-collapse-id", "apns-priority", "apns-push-type"])
        #expect(String(draft.collapseKey) == "score")
        #expect(draft.priority == .high)
    }

    static let refusals: [(String, [(String, String)], String, Int, String)] = [
        ("/news/messages", [], "no JSON", 400, "SubCode=40000. body: "),
        ("/news/messages", [], "", 400, "SubCode=40000. body: "),
        ("/news/messages", [], "[1]", 400, "SubCode=40000. body: "),
        (
            "/news/messages", [("ServiceBusNotification-Format", "apple")], "{\"aps\":", 400,
            "SubCode=40000. body: "
        ),
        (
            "/news/messages", [("ServiceBusNotification-Format", "nokiax")], "{}", 400,
            "'ServiceBusNotification-Format' has an invalid value: 'nokiax'"
        ),
        (
            "/news/messages", [("ServiceBusNotification-Tags", "a && && b")], "{}", 400,
            "ServiceBusNotification-Tags: The tag expression can't be read from byte 5 on"
        ),
        (
            "/news/messages", [("ServiceBusNotification-Tags", "a,b")], "{}", 400,
            "ServiceBusNotification-Tags: The tag expression can't be read from byte 1 on"
        ),
        (
            "/news/messages", [("ServiceBusNotification-Tags", "(a")], "{}", 400,
            "What opens at byte 0 of the tag expression"
        ),
        (
            "/news/messages",
            [
                ("ServiceBusNotification-Format", "apple"),
                ("ServiceBusNotification-Apns-Expiry", "tomorrow"),
            ],
            "{}", 400, "ServiceBusNotification-Apns-Expiry: "
        ),
        (
            "/news/messages?direct", [("ServiceBusNotification-Format", "apple")], "{}", 400,
            "ServiceBusNotification-DeviceHandle: "
        ),
        (
            "/news/messages?direct", [("ServiceBusNotification-DeviceHandle", "AB")], "{}", 400,
            "ServiceBusNotification-Format: "
        ),
        (
            "/news/messages", [("ServiceBusNotification-Format", "baidu")],
            String(repeating: "x", count: 8_193), 413,
            "SubCode=41300. payload: 8193 bytes exceed the limit of 8192."
        ),
    ]

    @Test("say which header or part of the body is wrong, and send nothing", arguments: refusals)
    func refuse(
        _ uri: String,
        _ headers: [(String, String)],
        _ body: String,
        _ status: Int,
        _ detail: String
    ) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(.post, uri, headers: headers, body: body)
        #expect(reply.status == status, "\(reply.body)")
        #expect(reply.body.contains(detail), "\(reply.body)")
        #expect(reply["Location"] == nil)
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test(
        "take bodies up to the limits and no further",
        arguments: [
            ("baidu", 8_191, 201), ("baidu", 8_192, 201), ("baidu", 8_193, 413),
            ("template", 65_535, 201), ("template", 65_536, 201), ("template", 65_537, 413),
        ]
    )
    func limits(_ format: String, _ count: Int, _ status: Int) async throws {
        let harness = RESTHarness()
        let frame = #"{"a":""}"#
        let body = #"{"a":""# + String(repeating: "x", count: count - frame.utf8.count) + #""}"#
        let headers = [("ServiceBusNotification-Format", format)]
        let reply = try await harness.send(.post, "/news/messages", headers: headers, body: body)
        #expect(reply.status == status, "\(reply.body)")
        #expect((Self.draft(harness) != nil) == (status == 201))
    }

    @Test("follow the limits of the configuration")
    func configuredLimits() async throws {
        var harness = RESTHarness()
        harness.configuration.limits.sends.payloadBytesMax = 10
        let headers = [("ServiceBusNotification-Format", "baidu")]
        for (body, status) in [("0123456789", 201), ("0123456789x", 413)] {
            let reply = try await harness.send(
                .post,
                "/news/messages",
                headers: headers,
                body: body
            )
            #expect(reply.status == status, "\(body)")
        }
    }

    @Test(
        "that the store refuses are never 201",
        arguments: [
            (Refusal.storeUnavailable(retryAfterSeconds: 3), 503, "3"), (.storeFull, 507, "60"),
            (.stopping, 503, "5"), (.throttled(retryAfterSeconds: 2), 429, "2"),
        ]
    )
    func refusedByStore(_ refusal: Refusal, _ status: Int, _ seconds: String) async throws {
        let harness = RESTHarness()
        harness.hub.change { $0.refusal = refusal }
        let reply = try await harness.send(.post, "/news/messages", body: "{}")
        #expect(reply.status == status)
        #expect(reply["Retry-After"] == seconds)
        #expect(reply["Location"] == nil)
    }
}
