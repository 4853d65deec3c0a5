import HubDirectory
import HubModel
import HubREST
import HubVocabulary
import Hummingbird
import Testing

@Suite("Batch sends")
struct BatchTests {
    private static let id = "019df1c0d7e37b5a917d5c0a9be83f10-20260504065040-17-1"
    private static let payload = #"{"aps":{"alert":"hello"}}"#

    /// A body as .NET writes it.
    private static func body(
        _ payload: String = payload,
        devices: String = #"["a1b2","C3D4","A1B2"]"#,
        type: String = "application/json; charset=utf-8"
    ) -> String {
        [
            "--nh-batch", "Content-Type: \(type)", "Content-Disposition: inline; name=notification",
            "", payload, "--nh-batch", "Content-Type: application/json",
            "Content-Disposition: inline; name=devices", "", devices, "--nh-batch--", "",
        ].joined(separator: "\r\n")
    }

    private static let multipart = ("Content-Type", #"multipart/mixed; boundary="nh-batch""#)
    private static let apple = ("ServiceBusNotification-Format", "apple")

    private static func draft(_ harness: RESTHarness) -> NotificationDraft? {
        guard let draft = harness.hub.last(Send.self)?.draft else { return nil }
        return draft
    }

    @Test(
        "are one notification, at the address of any other send",
        arguments: [
            (
                "/news/messages/$batch?api-version=2020-06&direct",
                "/news/messages/ID?api-version=2020-06&direct"
            ),
            (
                "/News/Messages/%24batch/?direct=true&api-version=2015-04",
                "/News/Messages/ID?api-version=2015-04&direct=true"
            ),
            ("/news/messages/$BATCH?direct", "/news/messages/ID?direct"),
        ]
    )
    func golden(_ uri: String, _ location: String) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(
            .post,
            uri,
            token: "Send",
            headers: [
                Self.multipart, Self.apple, ("apns-push-type", "alert"), ("TrackingId", "t-1"),
                ("ServiceBusNotification-Tags", "ignored"),
                ("ServiceBusNotification-DeviceHandle", "ignored too"),
            ],
            body: Self.body()
        )
        #expect(reply.status == 201, "\(reply.body)")
        #expect(reply.body.isEmpty)
        #expect(reply["Content-Length"] == "0")
        #expect(reply["Content-Type"] == "application/xml; charset=utf-8")
        #expect(reply["TrackingId"] == "t-1")
        #expect(reply["Location"] == "https://localhost" + location.replacing("ID", with: Self.id))
        #expect(harness.hub.read { $0.requests.count } == 1)
        let draft = try #require(Self.draft(harness))
        guard case .handles(let handles) = draft.target else {
            Issue.record("\(draft.target)")
            return
        }
        #expect(handles.map { String($0) } == ["A1B2", "C3D4"])
        #expect(String(draft.body) == Self.payload)
        #expect(String(draft.contentType) == "application/json; charset=utf-8")
        #expect(draft.headers.map { String($0.name) } == ["apns-push-type"])
    }

    @Test("have the content type of their payload, which says what a raw notification is")
    func contentType() async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(
            .post,
            "/news/messages/$batch?direct",
            headers: [Self.multipart, ("ServiceBusNotification-Format", "windows")],
            body: Self.body(
                "raw bytes",
                devices: #"["https://wns.example.net/1"]"#,
                type: "application/octet-stream"
            )
        )
        #expect(reply.status == 201, "\(reply.body)")
        let draft = try #require(Self.draft(harness))
        #expect(draft.headers.map { String($0.value) } == ["wns/raw"])
        #expect(String(draft.contentType) == "application/octet-stream")
    }

    static let refusals: [(String, [(String, String)], String, Int, String)] = [
        ("", [multipart, apple], body(), 400, "direct: a batch needs this flag."),
        ("?direct", [apple], body(), 400, "Content-Type: must be multipart/mixed for a batch"),
        (
            "?direct", [("Content-Type", "application/json"), apple], "[]", 400,
            "Content-Type: must be multipart/mixed for a batch"
        ),
        ("?direct", [multipart, apple], "{}", 400, "body: has no line with the boundary"),
        (
            "?direct", [multipart, apple], body(devices: "[]"), 400,
            "devices: names no handle; a batch needs at least one"
        ),
        (
            "?direct", [multipart, apple], body(devices: #"["A1","xyz"]"#), 400,
            "devices: handle number 2 is none of this platform"
        ),
        ("?direct", [multipart, apple], body("no JSON"), 400, "SubCode=40000. body: "),
        (
            "?direct", [multipart], body("{}"), 400,
            "ServiceBusNotification-Format: a direct send needs a platform's format"
        ),
        (
            "?direct", [multipart, ("ServiceBusNotification-Format", "browser")],
            body(devices: #"["https://b.example/1"]"#), 400,
            "ServiceBusNotification-Format: a batch cannot go to browsers"
        ),
        (
            "?direct", [multipart, ("ServiceBusNotification-Format", "gcm")],
            body("{\"a\":\"" + String(repeating: "x", count: 8_185) + "\"}"), 413,
            "payload: 8193 bytes exceed the limit of 8192."
        ),
    ]

    @Test("say what is wrong, and send nothing", arguments: refusals)
    func refuse(
        _ query: String,
        _ headers: [(String, String)],
        _ body: String,
        _ status: Int,
        _ detail: String
    ) async throws {
        let harness = RESTHarness()
        let uri = "/news/messages/$batch\(query)"
        let reply = try await harness.send(.post, uri, headers: headers, body: body)
        #expect(reply.status == status, "\(reply.body)")
        #expect(reply.body.contains(detail), "\(reply.body)")
        #expect(reply["Location"] == nil)
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test("take a thousand handles and bodies up to their own limit")
    func limits() async throws {
        let harness = RESTHarness()
        func status(_ body: String) async throws -> Int {
            try await harness.send(
                .post,
                "/news/messages/$batch?direct",
                headers: [Self.multipart, Self.apple],
                body: body
            ).status
        }
        let handle = String(repeating: "AB", count: 30)
        func list(_ count: Int) -> String {
            let handles = (0..<count).map { "\"\(handle)\(String(1_000 + $0))\"" }
            return "[" + handles.joined(separator: ",") + "]"
        }
        let full = Self.body(devices: list(1_000))
        #expect(full.utf8.count > harness.configuration.bodyBytesMax)
        #expect(try await status(full) == 201)
        #expect(try await status(Self.body(devices: list(1_001))) == 400)
        for (bytes, expected) in [(1_048_575, 201), (1_048_576, 201), (1_048_577, 413)] {
            let preamble = String(repeating: "x", count: bytes - full.utf8.count - 2)
            #expect(try await status(preamble + "\r\n" + full) == expected)
        }
    }
}
