import HubDirectory
import HubModel
import HubREST
import HubVocabulary
import Testing

@Suite("Answers to test sends")
struct TestOutcomeTests {
    private static let members =
        #" xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect""#
        + #" xmlns:i="http://www.w3.org/2001/XMLSchema-instance""#

    private static func harness(_ outcome: TestOutcome) -> RESTHarness {
        let harness = RESTHarness()
        harness.hub.change { $0.reply = outcome }
        return harness
    }

    @Test("name each registration with its outcome, byte for byte")
    func golden() async throws {
        let outcome = TestOutcome(
            notification: NotificationName(id: FakeHub.sent, sequence: 17),
            results: [
                TestOutcome.Result(
                    platform: .apple,
                    handle: Array("A1B2".utf8),
                    registration: Array("1-2-3".utf8),
                    verdict: .sent
                ),
                TestOutcome.Result(
                    platform: .windows,
                    handle: Array("https://push.example/?a=1&b".utf8),
                    registration: nil,
                    verdict: .unknownHandle
                ),
            ]
        )
        let harness = Self.harness(outcome)
        let reply = try await harness.send(
            .post,
            "/news/messages/?api-version=2015-01&test",
            token: "Send",
            headers: [("ServiceBusNotification-Format", "apple")],
            body: #"{"aps":{}}"#
        )
        #expect(reply.status == 201, "\(reply.body)")
        #expect(reply["Content-Type"] == "application/xml; charset=utf-8")
        let id = "019df1c0d7e37b5a917d5c0a9be83f10-20260504065040-17-1"
        #expect(
            reply["Location"] == "https://localhost/news/messages/\(id)?api-version=2015-01&test"
        )
        let parts = [
            "<NotificationOutcome\(Self.members)><Success>1</Success><Failure>1</Failure>",
            "<Results><RegistrationResult><ApplicationPlatform>apple</ApplicationPlatform>",
            "<PnsHandle>A1B2</PnsHandle><RegistrationId>1-2-3</RegistrationId><Outcome>",
            "The Notification was successfully sent to the Push Notification System",
            "</Outcome></RegistrationResult><RegistrationResult>",
            "<ApplicationPlatform>windows</ApplicationPlatform>",
            "<PnsHandle>https://push.example/?a=1&amp;b</PnsHandle>",
            "<RegistrationId>none</RegistrationId><Outcome>",
            "The Push Notification System handle for the registration is invalid",
            "</Outcome></RegistrationResult></Results></NotificationOutcome>",
        ]
        #expect(reply.body == parts.joined())
        guard let draft = harness.hub.last(TestSend.self)?.draft else {
            Issue.record("another command")
            return
        }
        #expect(String(draft.body) == #"{"aps":{}}"#)
    }

    @Test("nobody is a document too, without a notification")
    func nobody() async throws {
        let harness = Self.harness(TestOutcome(notification: nil, results: []))
        let reply = try await harness.send(.post, "/news/messages?test=true", body: "{}")
        #expect(reply.status == 201)
        #expect(reply["Location"] == nil)
        #expect(
            reply.body
                == "<NotificationOutcome\(Self.members)><Success>0</Success><Failure>0</Failure>"
                + #"<Results i:nil="true"/></NotificationOutcome>"#
        )
    }

    @Test("the flag means nothing on other requests, and nothing when it is off")
    func elsewhere() async throws {
        let harness = RESTHarness()
        let list = try await harness.send(.get, "/news/registrations?test")
        #expect(list.status == 200)
        let sent = try await harness.send(.post, "/news/messages?test=false", body: "{}")
        #expect(sent.status == 201 && sent.body.isEmpty)
    }
}
