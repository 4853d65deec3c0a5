import HubModel
import HubREST
import HubVocabulary
import Testing

@Suite("Addresses of delivery errors")
struct DeliveryErrorTests {
    private static let name = NotificationName(id: FakeHub.sent, sequence: 17)

    private static func details(dropped: UInt64 = 1, unknown: UInt64 = 0) -> NotificationDetails {
        var estimate = MatchEstimate()
        estimate.reachable = 5
        estimate.unknownHandle = unknown
        let record = NotificationRecord(
            sequence: 17,
            id: FakeHub.sent,
            draft: NotificationDraft(
                format: .native(.apple),
                target: .broadcast,
                body: Array("{}".utf8),
                timeToLive: .seconds(60)
            )
        )
        let counts = CounterTable([
            CounterDelta(sequence: 17, platform: .apple, kind: .expired, count: dropped),
            CounterDelta(sequence: 17, platform: .apple, kind: .skipped, count: 3),
        ])
        return NotificationDetails(
            record: record,
            state: .completed,
            started: nil,
            ended: nil,
            platforms: [PlatformDetails(platform: .apple, counts: counts, estimate: estimate)]
        )
    }

    private static func failure(
        _ number: Int,
        _ kind: DeliveryFailure.Kind = .dropped
    ) -> DeliveryFailure {
        DeliveryFailure(
            time: FakeHub.time,
            kind: kind,
            platform: .apple,
            handle: Array("AB01".utf8),
            registration: Array("1-\(number)-1".utf8),
            installation: number == 1 ? Array("i-1".utf8) : nil
        )
    }

    private static func part(
        _ found: [DeliveryFailure],
        examined: Int,
        next: UInt32?
    ) -> FailurePart {
        var part = FailurePart(notification: name)
        part.found = found
        part.examined = examined
        part.next = next
        return part
    }

    /// The address without scheme and host; nil when the telemetry has none.
    private static func address(
        _ harness: RESTHarness,
        version: String = "?api-version=2020-06"
    ) async throws -> String? {
        let uri = "/news/messages/\(FakeHub.sent.text)\(version)"
        let reply = try await harness.send(.get, uri)
        #expect(reply.status == 200)
        let match = reply.body.firstMatch(
            of: /<PnsErrorDetailsUri>https:\/\/localhost(.*?)<\/PnsErrorDetailsUri>/
        )
        return match.map { String($0.1).replacing("&amp;", with: "&") }
    }

    @Test("are told when something was not delivered, from the version on that has them")
    func told() async throws {
        let harness = RESTHarness()
        harness.hub.change { $0.details = Self.details() }
        for version in ["", "?api-version=2016-07", "?api-version=2023-10-01-preview"] {
            #expect(try await Self.address(harness, version: version) != nil, "\(version)")
        }
        for version in ["2013-04", "2015-08", "2016-06"] {
            let old = try await Self.address(harness, version: "?api-version=\(version)")
            #expect(old == nil, "\(version)")
        }
        harness.hub.change { $0.details = Self.details(dropped: 0) }
        #expect(try await Self.address(harness) == nil)
        harness.hub.change { $0.details = Self.details(dropped: 0, unknown: 1) }
        #expect(try await Self.address(harness) != nil)
    }

    @Test("lead to a document for each failure, in the words of the outcomes")
    func documents() async throws {
        let harness = RESTHarness()
        harness.hub.change { state in
            state.details = Self.details()
            state.failures[0] = Self.part(
                [Self.failure(1), Self.failure(2, .unknownHandle)],
                examined: 2,
                next: 7
            )
            state.failures[7] = Self.part(
                [Self.failure(3, .templateError), Self.failure(4, .invalidSize)],
                examined: 9,
                next: nil
            )
        }
        let address = try #require(try await Self.address(harness))
        let reply = try await harness.send(.get, address, token: nil)
        #expect(reply.status == 200, "\(reply.body)")
        #expect(reply["x-belfry-cut"] == nil)
        let id = "019df1c0d7e37b5a917d5c0a9be83f10-20260504065040-17-1"
        let head =
            #"<PnsFeedback xmlns="http://schemas.microsoft.com/netservices/2010/10/"#
            + #"servicebus/connect" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">"#
            + "<FeedbackTime>2026-05-04T09:12:03.123Z</FeedbackTime><NotificationSystemError>"
        func line(_ word: String, _ number: Int, _ more: String = "") -> String {
            "\(head)\(word)</NotificationSystemError><Platform>apple</Platform>"
                + "<PnsHandle>AB01</PnsHandle><RegistrationId>1-\(number)-1</RegistrationId>\(more)"
                + "<NotificationId>\(id)</NotificationId></PnsFeedback>\n"
        }
        #expect(
            reply.body
                == line("Dropped", 1, "<InstallationId>i-1</InstallationId>")
                + line("BadChannel", 2) + line("InvalidNotificationFormat", 3)
                + line("InvalidNotificationSize", 4)
        )
        let range = [("x-ms-range", "bytes=1-11")]
        let part = try await harness.send(.get, address, token: nil, headers: range)
        #expect(part.status == 206 && part.body == "PnsFeedback")
    }

    @Test("lead to so many lines at most, of so many looked at, and say when that was not all")
    func bounded() async throws {
        var harness = RESTHarness()
        harness.configuration.limits.inspection.failureLinesMax = 4
        harness.configuration.limits.inspection.failuresExaminedMax = 10
        harness.hub.change { $0.details = Self.details() }
        let address = try #require(try await Self.address(harness))
        let cases: [(lines: Int, examined: Int, next: UInt32?, cut: Bool)] = [
            (4, 4, nil, false), (5, 5, nil, true), (4, 4, 9, true), (0, 9, 9, false),
            (0, 10, 9, true), (0, 10, nil, false), (3, 10, 9, true),
        ]
        for (lines, examined, next, cut) in cases {
            harness.hub.change { state in
                state.failures[0] = Self.part(
                    (0..<lines).map { Self.failure($0) },
                    examined: examined,
                    next: next
                )
                state.failures[9] = Self.part([], examined: 0, next: nil)
            }
            let reply = try await harness.send(.get, address, token: nil)
            #expect(reply.status == 200)
            #expect(reply.body.split(separator: "\n").count == min(lines, 4))
            #expect((reply["x-belfry-cut"] == "true") == cut, "\(lines) \(examined) \(next ?? 0)")
        }
    }

    @Test("hold for their notification alone, and not for the container")
    func links() async throws {
        let harness = RESTHarness()
        harness.hub.change { state in
            state.details = Self.details()
            state.failures[0] = Self.part([], examined: 0, next: nil)
        }
        let address = try #require(try await Self.address(harness))
        #expect(try await harness.send(.get, address, token: nil).status == 200)
        let query = try #require(address.split(separator: "?").last)
        let wrong = [
            "/news/$belfry/feedback/errors/029df1c0d7e37b5a917d5c0a9be83f10?\(query)",
            "/news/$belfry/feedback/errors/17?\(query)",
            "/news/$belfry/feedback?\(query)&restype=container&comp=list",
        ]
        for uri in wrong {
            let reply = try await harness.send(.get, uri, token: nil)
            #expect(reply.status == 403, "\(uri)")
            #expect(reply["x-ms-error-code"] == "AuthenticationFailed")
        }
        harness.hub.change { $0.failures = [:] }
        let gone = try await harness.send(.get, address, token: nil)
        #expect(gone.status == 404)
    }
}
