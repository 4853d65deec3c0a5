import HubModel
import HubRules
import HubTags
import HubVocabulary
import Testing

@Suite("Lines of a request with many sends")
struct SendLinesTests {
    private static let now = Timestamp(milliseconds: 1_777_885_923_123)

    private static func read(
        _ body: String,
        headers: [(String, String)] = [],
        rule: String = "full",
        limits: CoreLimits = .standard
    ) throws(Refusal) -> [SendLines.Line] {
        try SendLines.read(
            Array(body.utf8),
            headers: headers.map { NamedValue(name: Array($0.utf8), value: Array($1.utf8)) },
            rule: rule,
            now: now,
            limits: limits
        )
    }

    /// The draft of a body with one line.
    private static func draft(_ line: String) throws -> NotificationDraft {
        try #require(read(line).first).draft.get()
    }

    private static func refusal(_ line: String, limits: CoreLimits = .standard) -> Refusal? {
        guard let line = try? read(line, limits: limits).first,
            case .failure(let refusal) = line.draft
        else { return nil }
        return refusal
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// What would be stored of a draft.
    private static func stored(_ draft: NotificationDraft) -> [UInt8] {
        let id = NotificationID(high: 1, low: 2)
        return NotificationCodec.encode(
            NotificationRecord(sequence: 1, id: id, draft: draft)
        )
    }

    @Test("mean what the headers and body of a send mean")
    func meaning() throws {
        let line = """
            {"format":"windows","tags":"a && !b","headers":{"X-WNS-Type":"wns/raw","x-wns-ttl":60,\
            "Belfry-Receipts":true},"body":"5 > 4","idempotencyKey":"k"}
            """
        let headers = [
            ("servicebusnotification-format", "windows"),
            ("servicebusnotification-tags", "a && !b"),
            ("x-wns-type", "wns/raw"), ("x-wns-ttl", "60"), ("belfry-receipts", "true"),
            ("idempotency-key", "k"),
        ]
        let single = try SendRules.draft(
            of: SendRequest(
                headers: headers.map { NamedValue(name: Array($0.utf8), value: Array($1.utf8)) },
                body: Array("5 > 4".utf8),
                rule: "full"
            ),
            now: Self.now
        )
        let draft = try Self.draft(line)
        #expect(Self.stored(draft) == Self.stored(single))
        #expect(draft.idempotency == single.idempotency)
        #expect(draft.wantsReceipts && draft.timeToLive == .seconds(60))
        #expect(draft.idempotency != nil)
    }

    static let bodies: [(String, String, String)] = [
        ("template", #"{ "a" : "b\u0041" }"#, #"{ "a" : "b\u0041" }"#),
        ("template", #""{\"a\":\"\u00e9\"}""#, #"{"a":"é"}"#),
        ("apple", #"{"aps":{"alert":["x",{"y":1}]}}"#, #"{"aps":{"alert":["x",{"y":1}]}}"#),
        ("baidu", "[1,2]", "[1,2]"), ("baidu", "-1.5e3", "-1.5e3"), ("baidu", "true", "true"),
    ]

    @Test("have a payload as it stands, or the text of a string", arguments: bodies)
    func body(_ format: String, _ body: String, _ expected: String) throws {
        let draft = try Self.draft(#"{"format":"\#(format)","body":\#(body)}"#)
        #expect(Self.text(draft.body) == expected)
    }

    @Test("have bytes that are no text in base64")
    func base64() throws {
        let line = #"""
            {"format":"windows","headers":{"X-WNS-Type":"wns/raw"},"bodyBase64":"AP8K"}
            """#
        #expect(try Self.draft(line).body == [0, 255, 10])
    }

    @Test("with a handle go to it alone")
    func direct() throws {
        let draft = try Self.draft(#"{"format":"apple","handle":"a1b2","body":{"aps":{}}}"#)
        guard case .handles(let handles) = draft.target else {
            Issue.record("\(draft.target)")
            return
        }
        #expect(handles.map(Self.text) == ["A1B2"])
    }

    static let refusals: [(String, String)] = [
        ("[]", "line: is not a JSON object"), ("x", "line: The JSON is malformed"),
        (#"{"body":{}} {}"#, "line: The JSON is malformed: text after its end. (at byte 12)"),
        (#"{"body":{}"#, "line: The JSON is malformed: it ends too early. (at byte 10)"),
        ("{}", "body: is missing"), (#"{"body":null}"#, "body: is null"),
        (#"{"bodyBase64":"*"}"#, "bodyBase64: must be a string of base64"),
        (#"{"body":{},"bodyBase64":""}"#, "bodyBase64: a line has one body"),
        (#"{"tag":"a","body":{}}"#, "tag: is no member of a line; there are format, tags, "),
        (#"{"tags":"a","tags":"b","body":{}}"#, "tags: is there more than once"),
        (#"{"tags":"","body":{}}"#, "tags: is empty; without it everybody is meant"),
        (#"{"tags":null,"body":{}}"#, "tags: must be a string"),
        (#"{"tags":["a"],"body":{}}"#, "tags: must be a string"),
        (#"{"tags":"a &&","body":{}}"#, "ServiceBusNotification-Tags: "),
        (#"{"format":"fax","body":{}}"#, "ServiceBusNotification-Format: "),
        (#"{"body":"no JSON"}"#, "body: "), (#"{"format":"apple","body":[]}"#, "body: "),
        (
            #"{"format":"apple","tags":"a","handle":"A1","body":{}}"#,
            "handle: stands beside tags; a notification goes to one or the other"
        ),
        (#"{"handle":"A1","body":{}}"#, "ServiceBusNotification-Format: a direct send needs"),
        (#"{"format":"apple","handle":"x","body":{}}"#, "ServiceBusNotification-DeviceHandle: "),
        (#"{"headers":[],"body":{}}"#, "headers: must be an object"),
        (#"{"headers":{"a":null},"body":{}}"#, "headers.a: must be a string"),
        (#"{"headers":{"a":"b\r\nc"},"body":{}}"#, "headers.a: must be text without control"),
        (#"{"headers":{"a b":"c"},"body":{}}"#, "headers.a b: is no name of a header"),
        (
            #"{"headers":{"ServiceBusNotification-Tags":"c"},"body":{}}"#,
            "headers.servicebusnotification-tags: is the member 'tags' of a line"
        ),
        (
            #"{"headers":{"ServiceBusNotification-ScheduleTime":"c"},"body":{}}"#,
            "headers.servicebusnotification-scheduletime: a line is sent at once"
        ),
        (
            #"{"headers":{"apns-priority":"1","Apns-Priority":"1"},"body":{}}"#,
            "apns-priority: is there more than once"
        ),
        (#"{"idempotencyKey":7,"body":{}}"#, "idempotencyKey: must be a string"),
        (
            "{\"idempotencyKey\":\"\(String(repeating: "k", count: 65))\",\"body\":{}}",
            "Idempotency-Key: must have 1 to 64 bytes"
        ),
    ]

    @Test("say what is wrong with them, and where", arguments: refusals)
    func refuse(_ line: String, _ detail: String) {
        let refusal = Self.refusal(line)
        #expect(refusal?.detail.hasPrefix(detail) == true, "\(line): \(refusal?.detail ?? "taken")")
        #expect(refusal?.status == 400, "\(line)")
    }

    @Test("are numbered as they stand, blank ones counted and passed over")
    func numbers() throws {
        let lines = try Self.read("\n{\"body\":{}}\r\n \t\nx\n{\"body\":{}}")
        #expect(lines.map(\.number) == [2, 4, 5])
        #expect(lines.map { (try? $0.draft.get()) != nil } == [true, false, true])
    }

    @Test("may follow a byte order mark, which is none in front of any other line")
    func byteOrderMark() throws {
        let lines = try Self.read("\u{FEFF}{\"body\":{}}\n{\"body\":{}}\n\u{FEFF}{\"body\":{}}")
        #expect(lines.map(\.number) == [1, 2, 3])
        #expect(lines.map { (try? $0.draft.get()) != nil } == [true, true, false])
        #expect(throws: Refusal.self) { try Self.read("\u{FEFF}") }
        #expect(try Self.read("\u{FEFF}\n{\"body\":{}}").map(\.number) == [2])
    }

    @Test("that are not UTF-8 are refused, and the others are not")
    func encoding() throws {
        let body = Array("{\"body\":{\"a\":\"".utf8) + [0xFF] + Array("\"}}\n{\"body\":{}}\n".utf8)
        let lines = try SendLines.read(body, headers: [], rule: "", now: Self.now)
        guard lines.count == 2, case .failure(let refusal) = lines[0].draft else {
            Issue.record("\(lines)")
            return
        }
        #expect(refusal.detail == "line: The text is not UTF-8. (at byte 14)")
        #expect((try? lines[1].draft.get()) != nil)
    }

    @Test("are nested as deeply as a send of its own may be", arguments: [63, 64, 65])
    func nesting(depth: Int) {
        func body(_ depth: Int) -> String {
            String(repeating: "{\"a\":", count: depth - 1) + "{}"
                + String(repeating: "}", count: depth - 1)
        }
        let refusal = Self.refusal("{\"format\":\"gcm\",\"body\":\(body(depth))}")
        #expect((refusal == nil) == (depth <= 64), "\(depth): \(refusal?.detail ?? "taken")")
        if let refusal { #expect(refusal.detail.hasPrefix("body: "), "\(refusal.detail)") }
    }

    @Test("get the request's key with their number, unless they have one")
    func keys() throws {
        let body = "{\"body\":{}}\n\n{\"body\":{}}\n{\"body\":{},\"idempotencyKey\":\"own\"}\n"
        func keys(_ headers: [(String, String)], _ body: String) throws -> [IdempotencyKey?] {
            try Self.read(body, headers: headers).map { try $0.draft.get().idempotency }
        }
        let derived = try keys([("idempotency-key", "r")], body)
        let own = ["r/1", "r/3", "own"].map { "{\"body\":{},\"idempotencyKey\":\"\($0)\"}\n" }
        #expect(try derived == keys([], own.joined()))
        #expect(Set(derived).count == 3)
        #expect(try keys([], body).prefix(2) == [nil, nil])
    }

    static let wholes: [(String, [(String, String)], String)] = [
        ("", [], "body: has no line; each is a JSON object"),
        (" \n\r\n", [], "body: has no line; each is a JSON object"),
        (
            "{}", [("idempotency-key", String(repeating: "k", count: 57))],
            "Idempotency-Key: must have 1 to 56 bytes, since each line adds its number"
        ),
        ("{}", [("idempotency-key", "a"), ("idempotency-key", "b")], "Idempotency-Key: is there"),
        (
            "{}", [("servicebusnotification-tags", "a")],
            "ServiceBusNotification-Tags: means nothing here; each line says"
        ),
        ("{}", [("servicebusnotification-format", "gcm")], "ServiceBusNotification-Format: means"),
    ]

    @Test("are refused as a whole when nothing can be told of each", arguments: wholes)
    func whole(_ body: String, _ headers: [(String, String)], _ detail: String) {
        do throws(Refusal) {
            _ = try Self.read(body, headers: headers)
            Issue.record("taken")
        } catch {
            #expect(error.detail.hasPrefix(detail), "\(error.detail)")
        }
    }

    @Test("are so many at most, and so long", arguments: [-1, 0, 1])
    func limits(beyond: Int) {
        let key = String(repeating: "k", count: 56)
        #expect((try? Self.read("{}", headers: [("idempotency-key", key)])) != nil)
        let count = CoreLimits.standard.batches.sendLinesMax + beyond
        #expect(count - beyond == 1_000)
        let many = try? Self.read(String(repeating: "{\"body\":{}}\n", count: count))
        #expect(many?.count == (beyond <= 0 ? count : nil))
        let bytes = CoreLimits.standard.sendLineBytesMax + beyond
        let long = "{\"body\":{}}" + String(repeating: " ", count: bytes - 11)
        let expected = Refusal.tooLarge(field: "line", bytes: bytes, limit: 458_752)
        #expect(Self.refusal(long) == (beyond <= 0 ? nil : expected))
        let headers = (0..<CoreLimits.standard.batches.sendLineHeadersMax + beyond).map {
            "\"h\($0)\":\"\""
        }
        let line = "{\"body\":{},\"headers\":{\(headers.joined(separator: ","))}}"
        let most = Refusal.tooManyInRequest(what: "headers of a line", limit: 64)
        #expect(Self.refusal(line) == (beyond <= 0 ? nil : most))
    }

    /// The largest body that a send of its own may have, or one beside it.
    private static func template(_ bytes: Int) -> String {
        "{\"a\":\"" + String(repeating: "x", count: bytes - 8) + "\"}"
    }

    @Test(
        "have a body as large as a send of its own, however it is spelled",
        arguments: [-1, 0, 1]
    )
    func largest(beyond: Int) throws {
        let limit = CoreLimits.standard.sends.requestBodyBytesMax
        #expect(limit == 65_536)
        let body = Self.template(limit + beyond)
        #expect(body.utf8.count == limit + beyond)
        let escaped = body.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "\\u00" + (digits.count == 1 ? "0" : "") + digits
        }
        // What stands beside the body may be long too.
        let headers = (0..<60).map { "\"x-\($0)\":\"\(String(repeating: "v", count: 255))\"" }
        let rest = "\"tags\":\"World\",\"headers\":{\(headers.joined(separator: ","))}"
        let lines = [
            "{\(rest),\"body\":\(body)}", "{\(rest),\"body\":\"\(escaped.joined())\"}",
            "{\(rest),\"bodyBase64\":\"\(Base64.encode(Array(body.utf8)))\"}",
        ]
        let expected = Refusal.tooLarge(field: "body", bytes: limit + beyond, limit: limit)
        let single = SendRequest(headers: [], body: Array(body.utf8), rule: "full")
        func alone() -> Refusal? {
            do throws(Refusal) {
                _ = try SendRules.draft(of: single, now: Self.now)
                return nil
            } catch { return error }
        }
        #expect(alone() == (beyond <= 0 ? nil : expected))
        for line in lines {
            #expect(Self.refusal(line) == (beyond <= 0 ? nil : expected), "\(line.prefix(40))")
            if beyond <= 0 { #expect(try Self.draft(line).body == Array(body.utf8)) }
        }
    }
}
