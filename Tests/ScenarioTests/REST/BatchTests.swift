import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Direct sends to many")
struct BatchTests {
    /// A body as Go writes it.
    private static func body(_ payload: String, handles: [String]) -> String {
        let list = handles.map { "\"\($0)\"" }.joined(separator: ",")
        return [
            "--0d1e2f", "Content-Disposition: form-data; name=\"notification\"",
            "Content-Type: application/json", "", payload, "--0d1e2f",
            "Content-Disposition: form-data; name=\"devices\"", "Content-Type: application/json",
            "", "[\(list)]", "--0d1e2f--", "",
        ].joined(separator: "\r\n")
    }

    @Test("one batch of a thousand handles reaches exactly the devices it names, once")
    func reaches() async throws {
        try await HostedHub.run { hub in
            var phones: [Phone] = []
            for name in ["first", "second", "left out"] {
                phones.append(
                    try await .subscribed(
                        hub.connection,
                        name: name,
                        RegistrationChoice(platform: .apple, tags: ["World"])
                    )
                )
            }
            let caller = try RESTCaller(hub.connection)
            let strangers = (0..<997).map { _ in
                (0..<4).map { _ in
                    String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16)
                }.joined()
            }
            let named = phones.prefix(2).map(\.handle)
            let payload = #"{"aps":{"alert":"for two"}}"#
            let answer = try await caller.perform(
                .POST,
                "\(hub.connection.hub)/messages/$batch",
                query: "&direct",
                headers: [
                    "Content-Type": "multipart/form-data; boundary=0d1e2f",
                    "ServiceBusNotification-Format": "apple", "apns-push-type": "alert",
                ],
                body: Self.body(payload, handles: strangers + named + [named[0].lowercased()]),
                authorization: caller.token(hub.connection.connectionStrings.send)
            )
            #expect(answer.status == 201, "\(answer.text)")
            let location = try #require(answer.headers["location"])
            #expect(!location.contains("batch"))
            let after = try await caller.send(#"{"aps":{"alert":"all"}}"#, format: "apple")
            #expect(after.status == 201)
            for phone in phones { try await phone.receive(containing: "all") }
            let expected = [[payload], [payload], []]
            for (phone, texts) in zip(phones, expected) {
                #expect(phone.texts.dropLast() == texts[...], "\(phone.name)")
            }
            let id = phones[0].received[0].id
            #expect(phones[1].received[0].id == id)
            let digits = id.uuidText.replacing("-", with: "")
            #expect(location.contains("/messages/\(digits)-"))
            #expect(phones[0].received[0].headers.contains { $0.name == "apns-push-type" })
            for phone in phones { await phone.close() }
            await caller.close()
        }
    }

    @Test("a batch waits for a device that is away, as any direct send does")
    func waits() async throws {
        let hub = try await RunningHub.startRestartable()
        let store = MemoryDeviceStore()
        let first = try Phone(hub.connection, name: "away", store: store)
        try await first.register(RegistrationChoice(platform: .gcm, tags: []))
        let handle = first.handle
        await first.close()
        let caller = try RESTCaller(hub.connection)
        let answer = try await caller.perform(
            .POST,
            "\(hub.connection.hub)/messages/$batch",
            query: "&direct",
            headers: [
                "Content-Type": "multipart/mixed; boundary = \"0d1e2f\"",
                "ServiceBusNotification-Format": "gcm",
            ],
            body: Self.body(#"{"data":{"msg":"later"}}"#, handles: [handle, "another"]),
            authorization: caller.token(hub.connection.connectionStrings.full)
        )
        #expect(answer.status == 201, "\(answer.text)")
        await caller.close()
        try await hub.kill()
        let again = try await hub.startedAgain()
        let second = try Phone(again.connection, name: "back", store: store)
        try await second.receive(containing: "later")
        await second.close()
        let code = try await again.terminate()
        #expect(code == 0, "\(again.program.errors.events)")
    }
}

@Suite("Headers for devices")
struct PassedHeaderTests {
    /// What a sender says, and which of it the device must see.
    private static let sends: [(Platform, String, [String: String], [String])] = [
        (
            .apple, "{}",
            [
                "apns-push-type": "alert", "apns-priority": "5", "apns-topic": "app",
                "apns-collapse-id": "c", "apns-id": "i", "X-Apns-Expiration": "4102444800",
            ],
            [
                "apns-collapse-id: c", "apns-expiration: 4102444800", "apns-id: i",
                "apns-priority: 5", "apns-push-type: alert", "apns-topic: app",
            ]
        ),
        (
            .windows, "<tile/>",
            [
                "X-WNS-Cache-Policy": "cache", "X-WNS-PRIORITY": "low", "X-WNS-Tag": "t",
                "X-WNS-RequestForStatus": "true", "X-WNS-TTL": "60", "X-WNS-Group": "g",
                "X-WNS-SuppressPopup": "true", "X-WNS-Type": "wns/tile",
            ],
            [
                "x-wns-cache-policy: cache", "x-wns-group: g", "x-wns-priority: low",
                "x-wns-requestforstatus: true", "x-wns-suppresspopup: true", "x-wns-tag: t",
                "x-wns-ttl: 60", "x-wns-type: wns/tile",
            ]
        ),
        (
            .windowsPhone, "<wp:Notification xmlns:wp=\"WPNotification\"/>",
            ["X-WindowsPhone-Target": "token", "X-NotificationClass": "11"],
            ["x-notificationclass: 11", "x-windowsphone-target: token"]
        ),
        (.baidu, "text", ["X-Baidu-Message-Type": "1"], ["x-baidu-message-type: 1"]),
        (.gcm, "{}", [:], []), (.fcmV1, "{}", [:], []), (.adm, "{}", [:], []),
        (.browser, "text", [:], []), (.xiaomi, "{}", [:], []),
    ]

    @Test("reach the devices of their platform, of every platform, and no others do")
    func travel() async throws {
        try await HostedHub.run { hub in
            let caller = try RESTCaller(hub.connection)
            let foreign = ["X-Other": "no", "apns-other": "a", "X-WNS-Other": "w"]
            for (platform, body, headers, seen) in Self.sends {
                let phone = try await Phone.subscribed(
                    hub.connection,
                    name: platform.format,
                    RegistrationChoice(platform: platform, tags: [])
                )
                var all = headers
                for (name, value) in foreign where !name.lowercased().contains(own(platform)) {
                    all[name] = value
                }
                let answer = try await caller.send(body, format: platform.format, headers: all)
                #expect(answer.status == 201, "\(platform): \(answer.text)")
                try await phone.receive(1)
                let got = phone.received[0].headers.map { "\($0.name): \($0.value)" }.sorted()
                #expect(got == seen, "\(platform)")
                #expect(phone.texts == [body])
                await phone.close()
            }
            await caller.close()
        }
    }

    /// What the platform's own headers have in their names.
    private func own(_ platform: Platform) -> String {
        switch platform {
        case .apple: "apns"
        case .windows: "wns"
        default: "none"
        }
    }
}
