import HubDelivery
import HubDirectory
@testable import HubHarness
import HubModel
import HubTags
import HubTemplates
import HubVocabulary
import HubWire
import Testing

@Suite("Parcels of one notification")
struct ParcelTests {
    private static let toast =
        #"<toast><visual><binding template="ToastText01"><text id="1">$(m)</text></binding>"#
        + "</visual></toast>"

    private static func template(
        _ body: String,
        _ headers: [(String, String)] = [],
        expiry: String = ""
    ) -> TemplateMessage {
        TemplateMessage(
            name: "t",
            expiry: expiry,
            headers: headers.map { NotificationHeader(name: $0.0, value: $0.1) },
            body: Array(body.utf8)
        )
    }

    private static func send(
        _ properties: String,
        headers: [(String, String)] = []
    ) -> NotificationDraft {
        NotificationDraft(
            format: .template,
            target: .broadcast,
            body: Array(properties.utf8),
            headers: headers.map {
                NamedValue(name: Array($0.0.utf8), value: Array($0.1.utf8))
            },
            timeToLive: .seconds(60)
        ).asRead
    }

    @Test(
        "carry only the headers of their own platform, and the template's value before the send's"
    )
    func headers() throws {
        let hub = try WholeHub()
        let apple = ScriptedDevice(hub)
        try apple.hello()
        try apple.register(
            tags: [],
            template: Self.template(
                #"{"aps":{"alert":"$(m)"}}"#,
                [("apns-collapse-id", "{'own-' + $(m)}")]
            )
        )
        let windows = ScriptedDevice(hub)
        try windows.hello()
        try windows.register(
            platform: .windows,
            tags: [],
            template: Self.template(Self.toast, [("X-WNS-Type", "wns/toast")])
        )
        let google = ScriptedDevice(hub)
        try google.hello()
        try google.register(
            platform: .gcm,
            tags: [],
            template: Self.template(#"{"data":{"m":"$(m)"}}"#)
        )
        hub.run(
            Send(
                Self.send(
                    #"{"m":"x"}"#,
                    headers: [
                        ("apns-collapse-id", "sent"), ("apns-push-type", "alert"),
                        ("x-wns-type", "wns/raw"), ("x-wns-tag", "score"),
                    ]
                )
            )
        )
        for device in [apple, windows, google] { device.read() }
        #expect(
            apple.entries.map(\.headers) == [["apns-push-type: alert", "apns-collapse-id: own-x"]]
        )
        #expect(windows.entries.map(\.headers) == [["x-wns-tag: score", "X-WNS-Type: wns/toast"]])
        #expect(google.entries.map(\.headers) == [[]])
    }

    @Test("carry the priority and expiry of an Apple template in place of the send's")
    func ownUrgency() throws {
        let hub = try WholeHub()
        let apple = ScriptedDevice(hub)
        try apple.hello()
        let body = #"{"aps":{"alert":"$(m)"}}"#
        try apple.register(
            tags: [],
            template: Self.template(body, [("apns-priority", "$(p)")], expiry: "0")
        )
        hub.run(
            Send(
                Self.send(
                    #"{"m":"x","p":"5"}"#,
                    headers: [("apns-priority", "10"), ("apns-expiration", "1")]
                )
            )
        )
        apple.read()
        #expect(
            apple.entries.map(\.headers) == [["apns-priority: 5", "apns-expiration: 0"]]
        )
    }

    @Test("leave out rendered headers that no longer fit, never the notification")
    func overflow() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        let headers = (0..<15).map { ("X-WNS-H\($0 + 10)", "$(v)") }
        try device.register(
            platform: .windows,
            tags: [],
            template: Self.template(Self.toast, [("X-WNS-Type", "wns/toast")] + headers)
        )
        #expect(device.results.map(\.status) == [0])
        let value = String(repeating: "v", count: 255)
        let sent = (0..<4).map { ("x-wns-s\($0)", String(repeating: "s", count: 200)) }
        hub.run(Send(Self.send(#"{"m":"x","v":"\#(value)"}"#, headers: sent)))
        device.read()
        let entry = try #require(device.entries.first)
        #expect(entry.text.contains(">x<"))
        // Four of 209 bytes, the type of 21, then as many of 266 as 4,089 hold.
        let kept = (4_089 - 4 * 209 - 21) / 266
        #expect(entry.headers.count == 4 + 1 + kept, "\(entry.headers.map(\.count))")
        #expect(entry.headers.prefix(4).allSatisfy { $0.hasPrefix("x-wns-s") })
    }

    @Test("leave out a header that rendered longer than a field may be")
    func longField() throws {
        let hub = try WholeHub()
        let device = ScriptedDevice(hub)
        try device.hello()
        try device.register(
            tags: [],
            template: Self.template(
                #"{"aps":{"alert":"$(m)"}}"#,
                [("apns-collapse-id", "$(v)"), ("apns-topic", "t")]
            )
        )
        let value = String(repeating: "v", count: 300)
        hub.run(Send(Self.send(#"{"m":"x","v":"\#(value)"}"#)))
        device.read()
        #expect(device.entries.count == 1)
        #expect(device.entries.first?.headers.contains { $0.utf8.count > 280 } == false)
        #expect(device.entries.first?.headers.contains("apns-topic: t") == true)
    }

    @Test("are shared by registrations whose own variables their template does not read")
    func variables() throws {
        let hub = try WholeHub()
        let devices = (0..<4).map { _ in ScriptedDevice(hub) }
        for device in devices { try device.hello() }
        let bodies = [
            #"{"aps":{"alert":"$(m)"}}"#, #"{"aps":{"alert":"{$(NAME) + ': ' + $(m)}"}}"#,
        ]
        for (number, device) in devices.enumerated() {
            let handle = try #require(device.welcome).handle
            let content = RegistrationContent(
                platform: .apple,
                handle: HexDigits.upper(handle),
                tags: TagSet([]),
                template: TemplateDefinition(
                    name: Array("t".utf8),
                    body: Array(bodies[number / 2].utf8)
                ),
                pushVariables: [
                    NamedValue(name: Array("name".utf8), value: Array("device \(number)".utf8))
                ]
            )
            let grant = AccessGrant(rule: "full", rights: [.listen, .send, .manage])
            guard case .success = hub.run(CreateRegistration(content, grant)) else {
                Issue.record("registration \(number) was refused")
                return
            }
        }
        let before = hub.shards[0].loop.core.totals.parcelsMade
        hub.run(Send(Self.send(#"{"m":"hello"}"#)))
        for device in devices { device.read() }
        #expect(
            devices.map(\.alerts) == [
                ["hello"], ["hello"], ["device 2: hello"], ["device 3: hello"],
            ]
        )
        #expect(hub.shards[0].loop.core.totals.parcelsMade - before == 3)
        // The same from the log.
        for device in devices { device.cut() }
        hub.run(Send(Self.send(#"{"m":"again"}"#)))
        for device in devices { try device.reconnect() }
        for device in devices { device.read() }
        #expect(
            devices.map { $0.alerts.last } == [
                "again", "again", "device 2: again", "device 3: again",
            ]
        )
        #expect(hub.shards[0].loop.core.totals.parcelsMade - before == 6)
    }
}

/// Push handles as REST spells them.
private enum HexDigits {
    static func upper(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
