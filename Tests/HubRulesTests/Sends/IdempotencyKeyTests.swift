import HubModel
import HubRules
import HubVocabulary
import Testing

private func key(
    _ body: String = "{\"a\":\"b\"}",
    _ headers: [(String, String)] = [],
    key: String? = "k-1",
    rule: String = "send",
    now: Timestamp = sendTime
) throws(Refusal) -> IdempotencyKey? {
    var all = headers.map { named($0.0.lowercased(), $0.1) }
    if let key { all.append(named("idempotency-key", key)) }
    let request = SendRequest(headers: all, body: Array(body.utf8), rule: rule)
    return try SendRules.draft(of: request, now: now).idempotency
}

@Suite("Idempotency keys of sends")
struct IdempotencyKeyTests {
    @Test("are absent without the header")
    func absent() throws { #expect(try key(key: nil) == nil) }

    @Test("have 1 to 64 bytes and are refused by name otherwise", arguments: [1, 64])
    func lengths(_ count: Int) throws {
        #expect(try key(key: String(repeating: "k", count: count)) != nil)
        for bad in [String(repeating: "k", count: 65), "", "  "] {
            let expected = Refusal.invalid(
                field: "Idempotency-Key",
                reason: "must have 1 to 64 bytes"
            )
            #expect(throws: expected) { try key(key: bad) }
        }
    }

    @Test("that are given twice are refused by name, even when they are the same")
    func twice() {
        let expected = Refusal.invalid(field: "Idempotency-Key", reason: "is there more than once")
        #expect(throws: expected) { try key("{}", [("Idempotency-Key", "k-1")]) }
    }

    @Test("belong to the access rule that signed")
    func scopes() throws {
        let first = try #require(try key())
        #expect(try key(rule: "send2")?.scope != first.scope)
        #expect(try key(key: "k-2")?.scope != first.scope)
        // The border between rule and key counts.
        #expect(try key(key: "dk-1", rule: "sen")?.scope != first.scope)
        #expect(try key(rule: "send2")?.fingerprint == first.fingerprint)
    }

    @Test(
        "mean the same notification whatever every try has anew",
        arguments: [
            [("TrackingId", "2")], [("Authorization", "other")], [("User-Agent", "x")],
            [("Content-Type", "multipart/mixed; boundary=7")],
            [("ServiceBusNotification-Format", "Template")],
        ]
    )
    func same(_ headers: [(String, String)]) throws {
        #expect(try key("{\"a\":\"b\"}", headers) == key())
    }

    @Test(
        "mean another notification when body, target or headers differ",
        arguments: [
            ("{\"a\":\"c\"}", []), ("{\"a\":\"b\"}", [("ServiceBusNotification-Tags", "t")]),
            ("{\"a\":\"b\"}", [("ServiceBusNotification-Format", "gcm")]),
            ("{\"a\":\"b\"}", [("apns-collapse-id", "c")]),
            ("{\"a\":\"b\"}", [("apns-priority", "10")]),
            ("{\"a\":\"b\"}", [("X-WNS-Type", "wns/raw")]),
            ("{\"a\":\"b\"}", [("X-WNS-TTL", "60")]), ("{\"a\":\"b\"}", [("X-WNS-TTL", "0")]),
            ("{\"a\":\"b\"}", [("apns-expiration", "1785665520")]),
            ("{\"a\":\"b\"}", [("Belfry-Receipts", "true")]),
        ] as [(String, [(String, String)])]
    )
    func other(_ body: String, _ headers: [(String, String)]) throws {
        let first = try #require(try key())
        let second = try #require(try key(body, headers))
        #expect(second.scope == first.scope)
        #expect(second.fingerprint != first.fingerprint)
    }

    @Test("do not change while an expiry comes nearer")
    func later() throws {
        let expiry = [("apns-expiration", "1785665520")]
        let later = sendTime.adding(seconds: 60)
        #expect(try key("{}", expiry) == key("{}", expiry, now: later))
    }
}
