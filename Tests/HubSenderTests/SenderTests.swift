import HubSender
import HubWire
import Testing

@Suite("Sender")
struct SenderTests {
    @Test("a refusal's sentence comes without its numbers")
    func refusalReason() {
        let detail =
            "SubCode=40000. tags: cannot be read.TrackingId:a_G0,TimeStamp:5/4/2026 9:12:03 AM"
        let refused = RefusedRequest(status: 400, code: 400, detail: detail)
        #expect(refused.reason == "tags: cannot be read.")
        #expect("\(SenderError.refused(refused))" == "refused with 400: tags: cannot be read.")
        #expect(RefusedRequest(status: 400, code: 400, detail: "plain").reason == "plain")
    }

    @Test(
        "a sender without a hub says why at once",
        arguments: [
            ("localhost", "nothing listens at localhost:1: is"), ("a.invalid", "no address"),
        ]
    )
    func unreached(_ host: String, _ words: String) async throws {
        let connection = ConnectionString(host: host, port: 1, keyName: "n", key: "k")
        let sender = try SenderClient(connection, hub: "hub")
        let start = ContinuousClock.now
        let error = await #expect(throws: SenderError.self) { _ = try await sender.settings() }
        guard case .unreached(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(words), "\(reason)")
        #expect(ContinuousClock.now - start < .seconds(5))
        await sender.close()
    }

    @Test("a template send is a flat JSON object with a key of its own")
    func templateSend() {
        let first = OutgoingNotification.template(["b": "2", "a": "x/\"y"], tags: "World")
        #expect(String(decoding: first.body, as: UTF8.self) == "{\"a\":\"x/\\\"y\",\"b\":\"2\"}")
        #expect(first.format.headerValue == "template")
        let second = OutgoingNotification.template(["b": "2"], tags: "World")
        #expect(first.idempotencyKey != second.idempotencyKey)
        #expect(first.idempotencyKey.utf8.count == 32)
    }

    @Test("a notification's name on the link is read from its id in REST")
    func identifiers() {
        func identifier(_ id: String) -> NotificationIdentifier? {
            SentNotification(id: id, location: "", status: 201, trackingID: "").identifier
        }
        let expected = ID16(high: 0x0192_F3A1_B2C3_7D4E, low: 0x9F00_1122_3344_5566)
        #expect(identifier("0192f3a1b2c37d4e9f00112233445566-20260504091203-17-1") == expected)
        #expect(identifier("0192f3a1-b2c3-7d4e-9f00-112233445566") == expected)
        #expect(expected.uuidText == "0192f3a1-b2c3-7d4e-9f00-112233445566")
        #expect(identifier("17") == nil)
    }

    @Test("a registration is written in the order that the reference gives")
    func registrationXML() throws {
        var entry = RegistrationEntry(
            platform: .apple,
            handle: "AB12",
            tags: ["World", "a&b"],
            template: TemplateMessage(
                name: "n",
                expiry: "0",
                headers: [.init(name: "apns-priority", value: "5")],
                body: Array("{\"aps\":\"<$(m)>\"}".utf8)
            )
        )
        let apple = try entry.xml()
        let members =
            "<Tags>World,a&amp;b</Tags><DeviceToken>AB12</DeviceToken>"
            + "<BodyTemplate>{&quot;aps&quot;:&quot;&lt;$(m)&gt;&quot;}</BodyTemplate>"
            + "<Expiry>0</Expiry><TemplateName>n</TemplateName>"
            + "<ApnsHeaders><ApnsHeader><Header>apns-priority</Header><Value>5</Value>"
            + "</ApnsHeader></ApnsHeaders></AppleTemplateRegistrationDescription>"
        #expect(apple.contains(members), "\(apple)")
        entry.platform = .windows
        let windows = try entry.xml()
        #expect(windows.contains("<ChannelUri>urn:belfry:AB12</ChannelUri>"))
        #expect(windows.contains("</WnsHeaders><TemplateName>n</TemplateName>"), "\(windows)")
        entry.platform = .browser
        #expect(throws: SenderError.platformUnsupported(.browser)) { try entry.xml() }
    }

    @Test("platforms are named as on the command line and in send formats")
    func platforms() {
        for platform in Platform.allCases {
            #expect(Platform(named: platform.commandLineName) == platform)
            #expect(Platform(named: platform.format.uppercased()) == platform)
        }
        #expect(Platform(named: "nokiax") == nil)
    }
}
