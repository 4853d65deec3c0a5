import HubModel
import HubRules
import HubVocabulary
import Testing

private let week: UInt32 = 604_800
private let most: UInt32 = 2_419_200
private let hour = "1785665520"  // One hour after the time of the sends.

private func timeToLive(
    _ format: String?,
    _ body: String = "{}",
    _ headers: [(String, String)] = []
) throws -> TimeToLive {
    try draft(format, body, headers: headers).get().timeToLive
}

@Suite("Expiry of sends")
struct SendExpiryTests {
    @Test("is seven days away when nothing says otherwise, and never more than 28")
    func bounds() throws {
        for format in ["apple", "gcm", "fcmv1", "adm", nil] {
            #expect(try timeToLive(format) == .seconds(week))
        }
        #expect(
            try timeToLive("apple", "{}", [("apns-expiration", "9999999999")]) == .seconds(most)
        )
        #expect(try timeToLive("gcm", "{\"time_to_live\":99999999999}") == .seconds(most))
        #expect(
            try timeToLive("windows", "<toast/>", [("X-WNS-TTL", "18446744073709551615")])
                == .seconds(most)
        )
    }

    @Test(
        "comes from every header of Apple, in every format of a time",
        arguments: [
            ("apns-expiration", hour), ("X-Apns-Expiration", hour),
            ("apns-expiration", "2026-08-02T10:12:00Z"),
            ("ServiceBusNotification-Apns-Expiry", hour),
            ("ServiceBusNotification-Apns-Expiry", "08/02/2026 10:12:00"),
            ("ServiceBusNotification-Apns-Expiry", "2026-08-02T10:12:00.000Z"),
            ("ServiceBusNotification-Apns-Expiry", "2026-08-02T10:12:00"),
            ("ServiceBusNotification-Apns-Expiry", "2026-08-02 10:12:00Z"),
            ("ServiceBusNotification-ApnsExpiry", "2026-08-02T10:11:59.001Z"),
        ]
    )
    func apple(_ header: String, _ value: String) throws {
        for format in ["apple", nil] {
            #expect(try timeToLive(format, "{}", [(header, value)]) == .seconds(3_600))
            let headers = try draft(format, "{}", headers: [(header, value)]).get().headers
            let rounded = value.contains("59.001") ? "1785665519" : hour
            #expect(headers == [named("apns-expiration", rounded)])
        }
        #expect(try timeToLive("gcm", "{}", [(header, value)]) == .seconds(week))
    }

    @Test("that is 0 or has passed is now or never; one that was never set says nothing")
    func transient() throws {
        for value in [
            "0", "1785661920", "1", "2026-08-02T09:12:00Z", "01/01/2020 00:00:00",
            "08/01/2026 21:12:00",
            "08/02/2026 00:12:00",
        ] {
            let header = [("ServiceBusNotification-Apns-Expiry", value)]
            #expect(try timeToLive("apple", "{}", header) == .transient, "\(value)")
        }
        let unset = [("ServiceBusNotification-Apns-Expiry", "0001-01-01T00:00:00")]
        #expect(try timeToLive("apple", "{}", unset) == .seconds(week))
        #expect(try timeToLive("windows", "<toast/>", [("X-WNS-TTL", "0")]) == .transient)
        #expect(try timeToLive("gcm", "{\"time_to_live\":0}") == .transient)
        #expect(
            try timeToLive("fcmv1", "{\"message\":{\"android\":{\"ttl\":\"0s\"}}}") == .transient
        )
    }

    @Test(
        "is never the half of the day that has passed, where a text may mean either",
        arguments: [
            // The sends are accepted at 09:12.
            ("08/02/2026 10:12:00", false, 3_600), ("08/02/2026 10:12:00", true, 46_800),
            ("08/02/2026 09:12:00", false, 43_200), ("08/02/2026 03:12:00", false, 21_600),
            ("08/02/2026 03:12:00", true, 21_600), ("08/02/2026 11:59:59", true, 53_279),
            ("08/02/2026 12:00:00", false, 10_080), ("08/02/2026 12:00:00", true, 10_080),
            ("08/02/2026 12:30:00", true, 11_880), ("08/02/2026 13:00:00", false, 13_680),
            ("08/03/2026 12:30:00", true, 98_280), ("08/03/2026 03:12:00", false, 64_800),
            ("08/03/2026 03:12:00", true, 108_000), ("08/03/2026 00:30:00", true, 55_080),
        ] as [(String, Bool, UInt32)]
    )
    func halfDay(_ value: String, isJava: Bool, seconds: UInt32) throws {
        var headers = [("ServiceBusNotification-Apns-Expiry", value)]
        if isJava { headers.append(("User-Agent", "NHub/2020-06 (api-origin=JavaSDK;os=Linux)")) }
        #expect(try timeToLive("apple", "{}", headers) == .seconds(seconds))
        let sent = try draft("apple", "{}", headers: headers).get().headers
        #expect(sent == [named("apns-expiration", "\(1_785_661_920 + UInt64(seconds))")])
    }

    @Test("that one client cannot write says nothing, and devices do not get it")
    func unreadable() throws {
        for format in ["apple", nil] {
            let sent = try draft(format, "{}", headers: [("X-Apns-Expiration", "\u{FFFD}")]).get()
            #expect(sent.timeToLive == .seconds(week) && sent.hasDefaultLifetime)
            #expect(sent.headers.isEmpty)
        }
    }

    @Test(
        "comes from the members of FCM bodies",
        arguments: [
            ("gcm", "{\"time_to_live\":3600}", 3_600),
            ("gcm", "{\"time_to_live\":\"3600\"}", 3_600),
            ("gcm", "{\"android\":{\"ttl\":\"3600s\"}}", 3_600),
            ("fcmv1", "{\"message\":{\"android\":{\"ttl\":\"3600s\"}}}", 3_600),
            ("fcmv1", "{\"message\":{\"android\":{\"ttl\":\"3.5s\"}}}", 4),
            ("fcmv1", "{\"message\":{\"android\":{\"ttl\":\"3.000000000s\"}}}", 3),
            ("gcm", "{\"time_to_live\":1,\"time_to_live\":2}", 2),
            ("gcm", "{\"data\":{\"time_to_live\":1},\"x\":[{\"time_to_live\":2}]}", week),
            ("gcm", "{\"time_to_live\":null}", week), ("adm", "{\"time_to_live\":5}", week),
            ("gcm", "{\"time\\u005fto_live\":7}", 7),
            ("gcm", "{\"android\":[{\"ttl\":\"1s\"}],\"x\":{\"android\":{\"ttl\":\"2s\"}}}", week),
            ("gcm", "{\"android\":{\"x\":{\"ttl\":\"1s\"},\"ttl\":\"5s\"}}", 5),
            ("gcm", "{\"android\":{\"ttl\":\"5s\",\"x\":{\"y\":{\"z\":{\"ttl\":\"1s\"}}}}}", 5),
            ("fcmv1", "{\"message\":{\"x\":[[],{}],\"android\":{\"ttl\":\"6s\"}}}", 6),
        ] as [(String, String, UInt32)]
    )
    func firebase(_ format: String, _ body: String, _ seconds: UInt32) throws {
        #expect(try timeToLive(format, body) == .seconds(seconds), "\(body)")
    }

    @Test("that cannot be read is refused by its name")
    func refused() {
        for header in [
            "apns-expiration", "X-Apns-Expiration", "ServiceBusNotification-Apns-Expiry",
            "ServiceBusNotification-ApnsExpiry",
        ] {
            for value in ["soon", "-1", "2026-02-30T00:00:00Z", "18446744073709551616"] {
                #expect(refusedField(draft("apple", "{}", headers: [(header, value)])) == header)
            }
        }
        for value in ["x", "1.5", "-1"] {
            let result = draft("windows", "<toast/>", headers: [("X-WNS-TTL", value)])
            #expect(refusedField(result) == "X-WNS-TTL")
        }
        for body in [
            "{\"time_to_live\":-1}", "{\"time_to_live\":true}", "{\"time_to_live\":{}}",
            "{\"time_to_live\":1e3}", "{\"android\":{\"ttl\":\"s\"}}",
            "{\"android\":{\"ttl\":\"1.s\"}}", "{\"android\":{\"ttl\":\"1.2.3s\"}}",
        ] {
            #expect(refusedField(draft("gcm", body)) == "body", "\(body)")
        }
    }
}

@Suite("Collapse keys of sends")
struct SendCollapseTests {
    private func key(
        _ format: String?,
        _ body: String = "{}",
        _ headers: [(String, String)] = []
    ) throws -> [UInt8] {
        try draft(format, body, headers: headers).get().collapseKey
    }

    @Test("come from the platform's header or member")
    func sources() throws {
        #expect(try key("apple") == [])
        #expect(try key("apple", "{}", [("apns-collapse-id", "k")]) == Array("k".utf8))
        #expect(try key(nil, "{}", [("apns-collapse-id", "k")]) == Array("k".utf8))
        #expect(try key("gcm", "{}", [("apns-collapse-id", "k")]) == [])
        #expect(try key("gcm", "{\"collapse_key\":\"k\"}") == Array("k".utf8))
        #expect(try key("gcm", "{\"android\":{\"collapse_key\":\"k\"}}") == Array("k".utf8))
        let nested = "{\"message\":{\"android\":{\"collapse_key\":\"\\u00fc\"}}}"
        #expect(try key("fcmv1", nested) == Array("ü".utf8))
        #expect(refusedField(draft("gcm", "{\"collapse_key\":1}")) == "body")
    }

    @Test("of WNS are tag and group together, so that both must be equal")
    func windows() throws {
        let toast = "<toast/>"
        let tag = try key("windows", toast, [("X-WNS-Tag", "ab")])
        let both = try key("windows", toast, [("X-WNS-Tag", "ab"), ("X-WNS-Group", "c")])
        let other = try key("windows", toast, [("X-WNS-Tag", "a"), ("X-WNS-Group", "bc")])
        #expect(tag == Array("ab".utf8))
        #expect(Set([tag, both, other]).count == 3)
        #expect(try key("windows", toast, [("X-WNS-Group", "c")]) == [])
    }

    @Test("that are too long are refused for Apple, and otherwise stand for themselves by a digest")
    func long() throws {
        let fits = String(repeating: "k", count: 64)
        #expect(try key("apple", "{}", [("apns-collapse-id", fits)]).count == 64)
        let result = draft("apple", "{}", headers: [("apns-collapse-id", fits + "k")])
        #expect(refusedField(result) == "apns-collapse-id")
        let one = try key("gcm", "{\"collapse_key\":\"\(fits)1\"}")
        let two = try key("gcm", "{\"collapse_key\":\"\(fits)2\"}")
        #expect(one.count == 32 && two.count == 32 && one != two)
        #expect(try key("gcm", "{\"collapse_key\":\"\(fits)1\"}") == one)
    }
}

@Suite("Priority and receipts of sends")
struct SendPriorityTests {
    private func priority(
        _ format: String?,
        _ body: String,
        _ headers: [(String, String)] = []
    ) throws -> NotificationPriority {
        try draft(format, body, headers: headers).get().priority
    }

    @Test(
        "come from the platform's header or member",
        arguments: [
            ("apple", "{}", "apns-priority", "10", .high),
            ("apple", "{}", "apns-priority", "5", .normal),
            ("apple", "{}", "apns-priority", "1", .low),
            ("apple", "{}", "X-Apns-Priority", "10", .high),
            (nil, "{}", "apns-priority", "10", .high),
            ("gcm", "{}", "apns-priority", "10", .normal),
            ("windows", "<toast/>", "X-WNS-PRIORITY", "high", .high),
            ("windows", "<toast/>", "X-WNS-PRIORITY", "Medium", .normal),
            ("windows", "<toast/>", "X-WNS-PRIORITY", "low", .low),
            ("windows", "<toast/>", "X-WNS-PRIORITY", "very-low", .veryLow),
            ("gcm", "{\"priority\":\"high\"}", "x", "y", .high),
            ("fcmv1", "{\"message\":{\"android\":{\"priority\":\"HIGH\"}}}", "x", "y", .high),
            ("gcm", "{\"priority\":\"normal\"}", "x", "y", .normal),
            ("gcm", "{}", "x", "y", .normal),
        ] as [(String?, String, String, String, NotificationPriority)]
    )
    func sources(
        _ format: String?,
        _ body: String,
        _ header: String,
        _ value: String,
        _ expected: NotificationPriority
    ) throws {
        #expect(try priority(format, body, [(header, value)]) == expected)
    }

    @Test("that cannot be read are refused by their name")
    func refused() {
        #expect(
            refusedField(draft("apple", "{}", headers: [("apns-priority", "256")]))
                == "apns-priority"
        )
        #expect(
            refusedField(draft("apple", "{}", headers: [("apns-priority", "x")])) == "apns-priority"
        )
        let windows = draft("windows", "<toast/>", headers: [("X-WNS-PRIORITY", "urgent")])
        #expect(refusedField(windows) == "X-WNS-PRIORITY")
        #expect(refusedField(draft("gcm", "{\"priority\":\"urgent\"}")) == "body")
        #expect(refusedField(draft("gcm", "{\"priority\":5}")) == "body")
        #expect(
            refusedField(draft("gcm", "{}", headers: [("Belfry-Receipts", "maybe")]))
                == "Belfry-Receipts"
        )
    }

    @Test("ask for receipts only when told to")
    func receipts() throws {
        #expect(try !draft("gcm", "{}").get().wantsReceipts)
        #expect(try draft("gcm", "{}", headers: [("Belfry-Receipts", "True")]).get().wantsReceipts)
        #expect(try !draft("gcm", "{}", headers: [("Belfry-Receipts", "0")]).get().wantsReceipts)
    }
}

@Suite("Headers of sends that travel to devices")
struct PassedHeadersTests {
    private let given = [
        ("Host", "h"), ("Authorization", "secret"), ("apns-topic", "t"),
        ("X-Apns-Push-Type", "alert"),
        ("X-WNS-Cache-Policy", "cache"), ("X-WindowsPhone-Target", "toast"),
        ("X-NotificationClass", "2"), ("X-Baidu-Message-Type", "1"), ("TrackingId", "x"),
    ]

    private func names(_ format: String?, _ body: String = "{}") throws -> [String] {
        try draft(format, body, headers: given).get().headers.map {
            String(decoding: $0.name, as: UTF8.self)
        }
    }

    @Test("are those of the platform, in the order received and under one name")
    func selection() throws {
        #expect(try names("apple") == ["apns-topic", "apns-push-type"])
        #expect(try names("windows", "<toast/>") == ["x-wns-cache-policy", "x-wns-type"])
        #expect(
            try names("windowsphone", "<a/>") == ["x-windowsphone-target", "x-notificationclass"]
        )
        #expect(try names("baidu") == ["x-baidu-message-type"])
        #expect(try names("gcm") == [])
        #expect(
            try names(nil) == [
                "apns-topic", "apns-push-type", "x-wns-cache-policy", "x-windowsphone-target",
                "x-notificationclass", "x-baidu-message-type",
            ]
        )
        let none = PassedHeaders.belongs(Array("authorization".utf8), to: .apple)
        #expect(!none)
    }

    @Test("say background when a payload shows nothing and no push type is given")
    func background() throws {
        func pushType(_ body: String, _ headers: [(String, String)] = []) throws -> [NamedValue] {
            try draft("apple", body, headers: headers).get().headers
        }
        let silent = "{\"aps\":{\"content-available\":1}}"
        #expect(try pushType(silent) == [named("apns-push-type", "background")])
        #expect(
            try pushType(silent, [("apns-push-type", "alert")]) == [
                named("apns-push-type", "alert")
            ]
        )
        #expect(try pushType("{\"aps\":{\"content-available\":1,\"badge\":0}}") == [])
        #expect(try pushType("{\"aps\":{\"content-available\":0}}") == [])
        #expect(try pushType("{\"aps\":{\"content-available\":1,\"alert\":{}}}") == [])
    }

    @Test("are limited in number, size and characters")
    func limits() {
        func field(_ headers: [(String, String)]) -> String? {
            refusedField(draft("apple", "{}", headers: headers))
        }
        let value = String(repeating: "v", count: 255)
        #expect(field([("apns-topic", value)]) == nil)
        #expect(field([("apns-topic", value + "v")]) == "apns-topic")
        #expect(field([("apns-topic", "a\nb")]) == "apns-topic")
        #expect(field((0..<16).map { ("apns-\($0)", "x") }) == nil)
        #expect(field((0..<17).map { ("apns-\($0)", "x") })?.contains("tooMany") == true)
        #expect(field((0..<8).map { ("apns-\($0)", value) })?.contains("tooLarge") == true)
        #expect(field((0..<7).map { ("apns-\($0)", value) }) == nil)
    }

    @Test("leave the content type as it is, however odd")
    func contentType() throws {
        let odd = try draft("gcm", "{}", headers: [("Content-Type", "text/plain; x=y")]).get()
        #expect(odd.contentType == Array("text/plain; x=y".utf8))
        let long = String(repeating: "x", count: 256)
        #expect(try draft("gcm", "{}", headers: [("Content-Type", long)]).get().contentType == [])
    }
}
