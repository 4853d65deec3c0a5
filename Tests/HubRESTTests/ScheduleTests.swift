import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubTags
import HubVocabulary
import Testing

private let soon = "2026-05-04T10:00:00Z"
private let id = ScheduleID(high: 0x0192_0000_0000_7001, low: 15)
private let idText = "0192000000007001000000000000000f"

private func schedule(
    _ due: UInt64,
    id: ScheduleID = id,
    tags: String? = nil,
    format: NotificationFormat = .template
) throws -> ScheduledNotification {
    var target = NotificationTarget.broadcast
    if let tags { target = .tags(try TagExpression(parsing: Array(tags.utf8))) }
    return ScheduledNotification(
        id: id,
        due: Timestamp(milliseconds: due),
        draft: NotificationDraft(
            format: format,
            target: target,
            body: Array("{\"secret\":1}".utf8),
            timeToLive: .seconds(60)
        )
    )
}

@Suite("Scheduled notifications over REST")
struct ScheduleTests {
    private func post(
        _ harness: RESTHarness,
        _ time: String?,
        uri: String = "/news/schedulednotifications/?api-version=2015-01",
        headers: [(String, String)] = []
    ) async throws -> Reply {
        let due = time.map { [("ServiceBusNotification-ScheduleTime", $0)] } ?? []
        return try await harness.send(
            .post,
            uri,
            token: "Send",
            headers: due + headers,
            body: #"{"messageParam":"later"}"#
        )
    }

    @Test(
        "are answered 201 with their address, byte for byte",
        arguments: [
            (
                "/news/schedulednotifications/?api-version=2015-01",
                "/news/schedulednotifications/ID?api-version=2015-01"
            ), ("/News/ScheduledNotifications", "/News/ScheduledNotifications/ID"),
        ]
    )
    func golden(_ uri: String, _ location: String) async throws {
        let harness = RESTHarness()
        harness.hub.change { $0.reply = id }
        let reply = try await post(harness, soon, uri: uri)
        #expect(reply.status == 201, "\(reply.body)")
        #expect(reply.body.isEmpty)
        #expect(reply["Content-Type"] == "application/xml; charset=utf-8")
        #expect(reply["Location"] == "https://localhost" + location.replacing("ID", with: idText))
    }

    @Test("reach the core with time, target and the key of the caller's rule")
    func command() async throws {
        let harness = RESTHarness()
        harness.hub.change { $0.reply = id }
        let headers = [("ServiceBusNotification-Tags", "a && b"), ("Idempotency-Key", "k")]
        _ = try await post(harness, "2026-05-04'T'10:00:00", headers: headers)
        guard let request = harness.hub.last(ScheduleSend.self)?.request,
            case .tags(let expression) = request.draft.target
        else {
            Issue.record("\(harness.hub.read(\.requests))")
            return
        }
        #expect(TimeText.iso8601(request.due) == "2026-05-04T10:00:00.000Z")
        #expect(expression.source == Array("a && b".utf8))
        #expect(request.draft.idempotency != nil)
    }

    @Test(
        "are refused with what is wrong",
        arguments: [
            (nil, "", "ServiceBusNotification-ScheduleTime: is missing"),
            ("soon", "", "ServiceBusNotification-ScheduleTime: is no date"),
            ("2027-01-01T00:00:00", "", "ServiceBusNotification-ScheduleTime: is more than 168"),
            (soon, "?direct", "direct: a scheduled notification goes by tags or to everybody"),
        ] as [(String?, String, String)]
    )
    func refused(_ time: String?, _ query: String, _ detail: String) async throws {
        let harness = RESTHarness()
        let reply = try await post(harness, time, uri: "/news/schedulednotifications" + query)
        #expect(reply.status == 400)
        #expect(reply.body.contains("SubCode=40000. \(detail)"), "\(reply.body)")
        #expect(harness.hub.read(\.requests).isEmpty)
    }

    @Test("are cancelled with 200, and not found with 404")
    func cancel() async throws {
        let harness = RESTHarness()
        harness.hub.change { $0.reply = () }
        let uri = "/news/schedulednotifications/\(idText)?api-version=2020-06"
        let reply = try await harness.send(.delete, uri, token: "Send")
        #expect(reply.status == 200)
        #expect(reply.body.isEmpty)
        guard harness.hub.last(CancelSchedule.self)?.id == id else {
            Issue.record("\(harness.hub.read(\.requests))")
            return
        }
        harness.hub.change { $0.refusal = .scheduleNotFound }
        for uri in [uri, "/news/schedulednotifications/none", "/news/schedulednotifications/1_2"] {
            let reply = try await harness.send(.delete, uri, token: "Send")
            #expect(reply.status == 404, "\(uri)")
            #expect(reply.body.contains("SubCode=40403. No such notification"), "\(reply.body)")
        }
    }

    @Test("are listed without payloads, page by page")
    func list() async throws {
        let harness = RESTHarness()
        let first = try schedule(1_777_888_800_000, tags: "a||b")
        let second = try schedule(
            1_777_888_800_001,
            id: ScheduleID(high: id.high, low: 16),
            format: .native(.windows)
        )
        harness.hub.change { $0.reply = ListPage([first, second], next: second.place) }
        let uri = "/news/$belfry/schedulednotifications"
        let reply = try await harness.send(.get, uri + "?$top=2")
        #expect(reply.status == 200, "\(reply.body)")
        #expect(reply["Content-Type"] == "application/json; charset=utf-8")
        let token = "0000019df26e2d01" + second.id.text
        #expect(
            reply.body
                == #"{"continuationToken":"\#(token)","schedules":[{"bytes":12,"due":"2026-05-04T10:00:00.000Z","format":"template","#
                + #""id":"\#(idText)","scheduled":"2024-09-17T12:40:52.992Z","tags":"a||b"},"#
                + #"{"bytes":12,"due":"2026-05-04T10:00:00.001Z","format":"windows","#
                + #""id":"01920000000070010000000000000010","#
                + #""scheduled":"2024-09-17T12:40:52.992Z"}]}"#
        )
        _ = try await harness.send(.get, uri + "?ContinuationToken=\(token)")
        let asked = harness.hub.read { $0.requests.compactMap { $0 as? ListSchedules } }
        #expect(asked.first?.after == nil && asked.first?.limit == 2)
        #expect(asked.last?.after == second.place && asked.last?.limit == .max)
        for bad in ["$top=0", "$top=x", "continuationtoken=12", "continuationtoken=\(token)0"] {
            let reply = try await harness.send(.get, uri + "?" + bad)
            #expect(reply.status == 400, "\(bad)")
        }
    }

    @Test("are read one by one")
    func read() async throws {
        let harness = RESTHarness()
        let stored = try schedule(1_777_888_800_000)
        harness.hub.change { $0.reply = stored }
        let uri = "/news/%24belfry/schedulednotifications/\(idText.uppercased())"
        let reply = try await harness.send(.get, uri, token: "Send")
        #expect(reply.status == 200)
        #expect(
            reply.body
                == #"{"bytes":12,"due":"2026-05-04T10:00:00.000Z","format":"template","#
                + #""id":"\#(idText)","scheduled":"2024-09-17T12:40:52.992Z"}"#
        )
        harness.hub.change { $0.refusal = .scheduleNotFound }
        #expect(try await harness.send(.get, uri, token: "Send").status == 404)
    }

    @Test(
        "need the right to send, and the list the right to manage",
        arguments: [
            (Verb.post, "/news/schedulednotifications", "Listen+Manage"),
            (.delete, "/news/schedulednotifications/\(idText)", "Listen+Manage"),
            (.get, "/news/$belfry/schedulednotifications/\(idText)", "Listen+Manage"),
            (.get, "/news/$belfry/schedulednotifications", "Listen+Send"),
        ]
    )
    func rights(_ method: Verb, _ uri: String, _ token: String) async throws {
        let harness = RESTHarness()
        #expect(try await harness.send(method, uri, token: token).status == 403)
        #expect(try await harness.send(method, uri, token: nil).status == 401)
        #expect(harness.hub.read(\.requests).isEmpty)
    }
}
