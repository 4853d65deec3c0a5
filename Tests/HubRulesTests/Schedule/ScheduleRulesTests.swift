@testable import HubHarness
import HubModel
import HubRules
import HubVocabulary
import Testing

private func request(
    _ time: String?,
    _ headers: [(String, String)] = [],
    body: String = "{}",
    isDirect: Bool = false,
    limits: CoreLimits = .standard
) throws(Refusal) -> ScheduleRequest {
    var all = headers.map { named($0.0.lowercased(), $0.1) }
    if let time { all.append(named("servicebusnotification-scheduletime", time)) }
    return try ScheduleRules.request(
        of: SendRequest(headers: all, isDirect: isDirect, body: Array(body.utf8), rule: "send"),
        now: sendTime,
        limits: limits
    )
}

private let field = "ServiceBusNotification-ScheduleTime"
private let hour = sendTime.adding(seconds: 3_600)

@Suite("Requests to schedule")
struct ScheduleRulesTests {
    @Test(
        "read the time in every spelling of the clients",
        arguments: [
            "2026-08-02T10:12:00", "2026-08-02T10:12:00.000Z", "2026-08-02T10:12:00+00:00",
            "2026-08-02'T'10:12:00", "2026-08-02T12:12+0200", "08/02/2026 10:12:00",
            "2026-08-02T10:12:00.0000000Z", " 2026-08-02 10:12:00Z ",
        ]
    )
    func spellings(_ text: String) throws {
        #expect(try request(text).due == hour)
    }

    @Test(
        "are refused by the header's name when it is missing or no time",
        arguments: [
            nil, "", "soon", "2026-13-01T00:00:00", "0001-01-01T00:00:00", "1785665520",
        ] as [String?]
    )
    func unreadable(_ text: String?) {
        let refusal = #expect(throws: Refusal.self) { try request(text) }
        guard case .invalid(let named, _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(named == field)
    }

    @Test("reach seven days ahead and not a millisecond more, or as far as the limit says")
    func horizon() throws {
        #expect(try request("2026-08-09T09:12:00Z").due == sendTime.adding(seconds: 604_800))
        let late = Refusal.invalid(field: field, reason: "is more than 168 hours ahead")
        #expect(throws: late) { try request("2026-08-09T09:12:00.001Z") }
        var limits = CoreLimits()
        limits.schedules.scheduleHorizonSeconds = 3_600
        #expect(try request("2026-08-02T10:12:00Z", limits: limits).due == hour)
        #expect(throws: Refusal.self) { try request("2026-08-02T10:12:01Z", limits: limits) }
    }

    @Test("may lie in the past")
    func past() throws {
        #expect(try request("2026-08-02T09:11:59Z").due < sendTime)
        #expect(try request("1960-01-01T00:00:00Z").due.milliseconds == 0)
    }

    @Test("are checked like sends, and never direct")
    func checks() throws {
        let direct = Refusal.invalid(
            field: "direct",
            reason: "a scheduled notification goes by tags or to everybody"
        )
        #expect(throws: direct) { try request("2026-08-02T10:12:00", isDirect: true) }
        #expect(throws: Refusal.self) {
            try request("2026-08-02T10:12:00", [("ServiceBusNotification-Tags", "a &&")])
        }
        let format = [("ServiceBusNotification-Format", "apple")]
        let tooLarge = Refusal.tooLarge(field: "payload", bytes: 8_193, limit: 8_192)
        #expect(throws: tooLarge) {
            let text = String(repeating: "x", count: 8_193 - 8)
            _ = try request("2026-08-02T10:12:00", format, body: "{\"a\":\"\(text)\"}")
        }
    }

    @Test("count seconds to live from firing, and keep a time of expiry as it is")
    func expiry() throws {
        let seconds = try request("2026-08-02T10:12:00", [("X-WNS-TTL", "60")])
        #expect(seconds.draft.timeToLive == .seconds(60))
        #expect(seconds.notAfter == nil)
        // Two hours after the send: one after it fires.
        let time = try request("2026-08-02T10:12:00", [("apns-expiration", "1785669120")])
        #expect(time.draft.timeToLive == .seconds(3_600))
        #expect(time.notAfter == sendTime.adding(seconds: 7_200))
        let early = try request("2026-08-02T10:12:00", [("apns-expiration", "1785662000")])
        #expect(early.draft.timeToLive == .transient)
    }

    @Test("are another notification for an idempotency key when the time differs")
    func fingerprints() throws {
        let header = [("Idempotency-Key", "k")]
        let first = try request("2026-08-02T10:12:00", header).draft.idempotency
        #expect(first != nil)
        #expect(try request("2026-08-02T10:12:00Z", header).draft.idempotency == first)
        let other = try request("2026-08-02T10:12:01", header).draft.idempotency
        #expect(other?.scope == first?.scope && other?.fingerprint != first?.fingerprint)
        let send = try SendRules.draft(
            of: SendRequest(
                headers: [named("idempotency-key", "k")],
                body: Array("{}".utf8),
                rule: "send"
            ),
            now: sendTime
        ).idempotency
        #expect(send?.scope == first?.scope && send?.fingerprint != first?.fingerprint)
    }
}

@Suite("Stored scheduled notifications")
struct ScheduleCodecTests {
    @Test("read back as they were written; whatever is cut off is refused")
    func roundTrip() throws {
        let schedule = ScheduledNotification(
            id: ScheduleID(high: 0x0192_0000_0000_7001, low: .max),
            due: hour,
            notAfter: hour.adding(seconds: 1),
            draft: Given.draft("{\"aps\":{}}")
        )
        let bytes = ScheduleCodec.encode(schedule)
        let read = try ScheduleCodec.decode(bytes.span)
        #expect(read.place == schedule.place && read.notAfter == schedule.notAfter)
        #expect(ScheduleCodec.encode(read) == bytes)
        for count in bytes.indices {
            let cut = Array(bytes[..<count])
            #expect(throws: RecordProblem.self) { _ = try ScheduleCodec.decode(cut.span) }
        }
        let longer = bytes + [0]
        #expect(throws: RecordProblem.self) { _ = try ScheduleCodec.decode(longer.span) }
    }

    @Test("have ids of 32 hexadecimal digits")
    func ids() {
        let id = ScheduleID(high: 0x0192_0000_0000_7001, low: 15)
        #expect(id.text == "0192000000007001000000000000000f")
        #expect(ScheduleID(text: id.text.uppercased()) == id)
        for bad in ["", "0192", id.text + "0", String(repeating: "g", count: 32)] {
            #expect(ScheduleID(text: bad) == nil, "\(bad)")
        }
    }
}
