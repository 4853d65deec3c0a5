import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubRules
import HubTags
import HubVocabulary
import Testing

@Suite("Telemetry answers")
struct TelemetryTests {
    private static let id = "019df1c0d7e37b5a917d5c0a9be83f10"
    private static let name = "\(id)-20260504065040-17-1"
    private static let members =
        #" xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect""#
        + #" xmlns:i="http://www.w3.org/2001/XMLSchema-instance""#

    private static func record(
        _ format: NotificationFormat = .template,
        _ target: NotificationTarget = .broadcast,
        body: String = #"{"messageParam":"budget <passed> & signed"}"#
    ) -> NotificationRecord {
        NotificationRecord(
            sequence: 17,
            id: FakeHub.sent,
            draft: NotificationDraft(
                format: format,
                target: target,
                body: Array(body.utf8),
                timeToLive: .seconds(60)
            )
        )
    }

    private static func platform(
        _ platform: Platform,
        _ counts: [(TelemetryKind, UInt64)],
        reachable: UInt64 = 0,
        unknownHandle: UInt64 = 0,
        templateError: UInt64 = 0
    ) -> PlatformDetails {
        var estimate = MatchEstimate()
        estimate.reachable = reachable
        estimate.unknownHandle = unknownHandle
        estimate.templateError = templateError
        let deltas = counts.map { kind, count in
            CounterDelta(sequence: 17, platform: platform, kind: kind, count: count)
        }
        return PlatformDetails(
            platform: platform,
            counts: CounterTable(deltas),
            estimate: estimate
        )
    }

    /// The address of the failures, as it stands in a document.
    private static func errors(_ harness: RESTHarness) throws -> String {
        let hub = try #require(HubName("news"))
        let signer = try #require(harness.hub.linkSigner(of: hub))
        let expires = FakeHub.time.adding(seconds: 432_000)
        let signature = signer.signature(of: FeedbackLink(.errors(FakeHub.sent), expires: expires))
        return "https://localhost/News/$belfry/feedback/errors/\(name)?sv=2021-08-06&amp;sr=b"
            + "&amp;sp=r&amp;se=2026-05-09T09%3A12%3A03Z&amp;sig=\(signature)"
    }

    private static func harness(_ details: NotificationDetails) -> RESTHarness {
        let harness = RESTHarness()
        harness.hub.change { $0.reply = details }
        return harness
    }

    @Test("have every member in the order of the strictest reader, byte for byte")
    func golden() async throws {
        let expression = try TagExpression(parsing: Array("Politics && !locale:fr".utf8))
        let accepted = FakeHub.sent.time
        let details = NotificationDetails(
            record: Self.record(.template, .tags(expression)),
            state: .completed,
            started: accepted,
            ended: Timestamp(milliseconds: accepted.milliseconds + 788),
            platforms: [
                Self.platform(
                    .apple,
                    [
                        (.matched, 12), (.sent, 20), (.acknowledged, 9), (.opened, 3),
                        (.expired, 1),
                        (.oversized, 2), (.skipped, 1),
                    ],
                    reachable: 15,
                    unknownHandle: 1,
                    templateError: 4
                ), Self.platform(.gcm, [(.matched, 30)]),
                Self.platform(.windows, [(.matched, 1), (.missed, 1)], reachable: 1),
                Self.platform(.xiaomi, [(.matched, 2)]),
            ]
        )
        let harness = Self.harness(details)
        let uri = "/News/Messages/\(Self.id)?api-version=2016-07"
        let reply = try await harness.send(.get, uri, token: "Manage")
        #expect(reply.status == 200, "\(reply.body)")
        #expect(reply["Content-Type"] == "application/xml; charset=utf-8")
        let outcome = { (name: String, count: Int) in
            "<Outcome><Name>\(name)</Name><Count>\(count)</Count></Outcome>"
        }
        #expect(
            reply.body
                == "<NotificationDetails\(Self.members)>"
                + "<NotificationId>\(Self.name)</NotificationId>"
                + "<Location>sb://localhost/News/Messages/\(Self.name)?api-version=2016-07</Location>"
                + "<State>Completed</State><EnqueueTime>2026-05-04T06:50:40.483Z</EnqueueTime>"
                + "<StartTime>2026-05-04T06:50:40.483Z</StartTime>"
                + "<EndTime>2026-05-04T06:50:41.271Z</EndTime>"
                + #"<NotificationBody>{"messageParam":"budget &lt;passed&gt; &amp; signed"}"#
                + "</NotificationBody><Tags>Politics &amp;&amp; !locale:fr</Tags>"
                + "<TargetPlatforms>windowstemplate,appletemplate,gcmtemplate,xiaomitemplate"
                + "</TargetPlatforms><ApnsOutcomeCounts>" + outcome("Success", 11)
                + outcome("BadChannel", 1) + outcome("Dropped", 1)
                + outcome("InvalidNotificationFormat", 4) + outcome("InvalidNotificationSize", 2)
                + outcome("Skipped", 1) + "</ApnsOutcomeCounts><WnsOutcomeCounts>"
                + outcome("Dropped", 1) + "</WnsOutcomeCounts><GcmOutcomeCounts>"
                + outcome("Success", 30) + "</GcmOutcomeCounts>"
                + "<PnsErrorDetailsUri>\(try Self.errors(harness))</PnsErrorDetailsUri>"
                + "<XiaomiOutcomeCounts>"
                + outcome("Success", 2) + "</XiaomiOutcomeCounts></NotificationDetails>"
        )
        guard let asked = harness.hub.last(GetDetails.self)?.name else {
            Issue.record("another command")
            return
        }
        #expect(asked == NotificationName(id: FakeHub.sent))
    }

    @Test(
        "spell every state, and leave out what is not there",
        arguments: NotificationState.allCases
    )
    func states(_ state: NotificationState) async throws {
        let details = NotificationDetails(
            record: Self.record(.native(.fcmV1), body: "{}"),
            state: state,
            started: nil,
            ended: nil,
            platforms: []
        )
        let reply = try await Self.harness(details).send(.get, "/news/messages/\(Self.name)/")
        #expect(
            reply.body
                == "<NotificationDetails\(Self.members)>"
                + "<NotificationId>\(Self.name)</NotificationId>"
                + "<Location>sb://localhost/news/messages/\(Self.name)</Location>"
                + "<State>\(state.rawValue)</State>"
                + "<EnqueueTime>2026-05-04T06:50:40.483Z</EnqueueTime>"
                + "<NotificationBody>{}</NotificationBody><TargetPlatforms>fcmv1</TargetPlatforms>"
                + "</NotificationDetails>"
        )
    }

    @Test("tell up to which age devices told of a notification, when that is known")
    func receipts() async throws {
        var known = ReceiptCurve()
        known.add(.acknowledged, 5, age: 400)
        known.add(.acknowledged, 2, age: 2_000)
        known.add(.opened, 1, age: 1_500)
        let told =
            #","receipts":{"acknowledged":[5,5,7],"ageMilliseconds":[500,1000,2000],"#
            + #""displayed":[0,0,0],"opened":[0,0,1]},"sequence""#
        let cases = [(known, told), (ReceiptCurve(), #""platforms":{},"sequence""#)]
        for (curve, expected) in cases {
            let details = NotificationDetails(
                record: Self.record(),
                state: .completed,
                started: nil,
                ended: nil,
                platforms: [],
                curve: curve
            )
            let path = "/news/$belfry/telemetry?notification=\(Self.id)"
            let reply = try await Self.harness(details).send(.get, path, token: "Manage")
            #expect(reply.body.contains(expected), "\(reply.body)")
        }
    }

    @Test("name the expression that a test send was chosen by")
    func tested() async throws {
        let target = RegistrationTarget(device: DeviceID(high: 1, low: 2), slot: 3)
        for expression in ["Politics && !x", ""] {
            let draft = NotificationDraft(
                format: .native(.apple),
                target: .slots([target]),
                body: Array("{}".utf8),
                timeToLive: .seconds(60),
                testedExpression: Array(expression.utf8)
            )
            let details = NotificationDetails(
                record: NotificationRecord(
                    sequence: 17,
                    id: FakeHub.sent,
                    draft: draft
                ),
                state: .completed,
                started: nil,
                ended: nil,
                platforms: []
            )
            let reply = try await Self.harness(details).send(.get, "/news/messages/\(Self.id)")
            let tags = expression.isEmpty ? "" : "<Tags>Politics &amp;&amp; !x</Tags>"
            let behind = "</NotificationBody>\(tags)<TargetPlatforms>"
            #expect(reply.body.contains(behind), "\(reply.body)")
        }
    }

    @Test("a template broadcast names every platform")
    func broadcast() async throws {
        let details = NotificationDetails(
            record: Self.record(),
            state: .noTargetFound,
            started: nil,
            ended: nil,
            platforms: []
        )
        let reply = try await Self.harness(details).send(.get, "/news/messages/\(Self.id)")
        let all = [
            "windows", "apple", "gcm", "fcmv1", "windowsphone", "adm", "baidu", "browser", "xiaomi",
        ]
        let expected = all.map { "\($0)template" }.joined(separator: ",")
        #expect(reply.body.contains("<TargetPlatforms>\(expected)</TargetPlatforms>"))
    }

    @Test("refuse what is no id, an unknown one, and other rights")
    func refusals() async throws {
        let harness = RESTHarness()
        let malformed = try await harness.send(.get, "/news/messages/17")
        #expect(malformed.status == 400)
        #expect(malformed.body.contains("notification: is no id of a notification."))
        let unknown = try await harness.send(.get, "/news/messages/\(Self.id)")
        #expect(unknown.status == 404)
        #expect(unknown.body.contains("Notification not found"))
        let listen = try await harness.send(.get, "/news/messages/\(Self.id)", token: "Listen+Send")
        #expect(listen.status == 403)
        let missing = try await harness.send(.get, "/news/$belfry/telemetry")
        #expect(missing.status == 400)
        #expect(missing.body.contains("notification: is missing."))
    }

    @Test("our own document has every counter as JSON")
    func counters() async throws {
        let details = NotificationDetails(
            record: Self.record(.native(.gcm)),
            state: .completed,
            started: FakeHub.sent.time,
            ended: FakeHub.sent.time,
            platforms: [
                Self.platform(.gcm, [(.matched, 3), (.displayed, 2), (.opened, 1)], reachable: 5)
            ]
        )
        let uri = "/news/%24belfry/telemetry?notification=\(Self.name)"
        let reply = try await Self.harness(details).send(.get, uri, token: "Manage")
        #expect(reply.status == 200, "\(reply.body)")
        #expect(reply["Content-Type"] == "application/json; charset=utf-8")
        #expect(
            reply.body
                == #"{"accepted":"2026-05-04T06:50:40.483Z","expires":"2026-05-04T06:51:40.483Z","#
                + #""fannedOut":"2026-05-04T06:50:40.483Z","notification":"\#(Self.name)","#
                + #""platforms":{"gcm":{"acknowledged":0,"actionChosen":0,"collapsed":0,"#
                + #""dismissed":0,"displayed":2,"expired":0,"expiredOnDevice":0,"invalidSize":0,"#
                + #""matchedConnected":3,"matchedOffline":2,"missed":0,"opened":1,"overCap":0,"#
                + #""purged":0,"sent":0,"skipped":0,"suppressed":0,"templateError":0,"undecodable":0,"#
                + #""unknownHandle":0}},"sequence":17,"state":"Completed"}"#
        )
    }
}
