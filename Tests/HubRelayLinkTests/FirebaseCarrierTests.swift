import CryptoExtras
import HubModel
import HubRelay
import HubRelayLink
import HubTemplates
import HubVocabulary
import RelayFakes
import Testing

/// Part B of the relays' reference, over real connections to a fake of FCM.
@Suite("Relay to a fake of FCM")
struct FirebaseCarrierTests {
    static let handle = "cAbc:APA91b-token"

    static func token(_ carrier: WebCarrier) async throws -> RelaySecret {
        let request = FirebaseToken.request(try Faked.firebase(), now: Faked.now)
        let answer = try await carrier.send(request, within: Faked.patience)
        guard case .token(let token, let life) = AccessTokenRequest.read(answer, now: Faked.now)
        else { throw CarrierFailure.unreachable("no token: \(answer.status)") }
        #expect(life == 3_599)
        return token
    }

    static func request(
        _ token: RelaySecret,
        body: String = #"{"message":{"data":{"a":"b"}}}"#
    ) throws -> RelayRequest {
        try FirebaseService.form(
            Faked.notification(Array(body.utf8)),
            credential: Faked.firebase(),
            accessToken: token,
            now: Faked.now
        ).request(to: .firebaseToken(handle))
    }

    static func verdict(_ answer: RelayAnswer) -> RelayVerdict {
        FirebaseService.verdict(answer, otherTook: false, now: Faked.now)
    }

    @Test("42, 44: an assertion gets a token, and a message with it reaches one device")
    func sends() async throws {
        try await FakedService.run(Faked.firebaseFake()) { faked in
            let web = WebCarrier(faked.options)
            let token = try await Self.token(web)
            let carriers: [any RelayCarrier] = [web, try StreamCarrier(.firebase, faked.options)]
            let body = #"{"message":{"topic":"all","data":{"a":"b"}}}"#
            for carrier in carriers {
                let request = try Self.request(token, body: body)
                let answer = try await carrier.send(request, within: Faked.patience)
                #expect(Self.verdict(answer).action == .done)
            }
            let sent = faked.journal.entries.dropFirst()
            #expect(sent.map(\.handle) == [Self.handle, Self.handle])
            for entry in sent {
                let text = String(decoding: entry.text, as: UTF8.self)
                #expect(!text.contains("topic"))
                #expect(entry.request.path == "/v1/projects/demo-project/messages:send")
            }
        }
    }

    static let rows: [(word: String, action: RelayAction, outcome: RelayOutcome)] = [
        ("BAD_TOKEN", .suspect(mayDelete: true), .badChannel),
        ("INVALID_ARGUMENT", .content, .invalidNotificationFormat),
        ("UNAUTHENTICATED", .renew, .invalidToken),
        ("THIRD_PARTY_AUTH_ERROR", .content, .invalidCredentials),
        ("SENDER_ID_MISMATCH", .suspect(mayDelete: false), .wrongToken),
        ("PERMISSION_DENIED", .credential, .invalidCredentials),
        ("UNREGISTERED", .gone(since: nil), .expiredChannel),
        ("NOT_FOUND", .credential, .invalidCredentials),
        ("DEVICE_QUOTA+90", .later(seconds: 90, most: 3_600), .channelThrottled),
        ("QUOTA_EXCEEDED+30", .slow(retryAfter: 30), .throttled),
        ("INTERNAL", .later(seconds: 10, most: 640), .pnsServerError),
        ("UNAVAILABLE+7", .stall(retryAfter: 7), .pnsUnavailable),
    ]

    @Test("46, 110: each answer of the table has its action and outcome", arguments: rows)
    func answers(word: String, action: RelayAction, outcome: RelayOutcome) async throws {
        let rules = ["\(Self.handle)=\(word)"]
        try await FakedService.run(Faked.firebaseFake(), rules: rules) { faked in
            let web = WebCarrier(faked.options)
            let request = try Self.request(await Self.token(web))
            let streams = try StreamCarrier(.firebase, faked.options)
            for carrier in [web, streams] as [any RelayCarrier] {
                let answer = try await carrier.send(request, within: Faked.patience)
                let verdict = Self.verdict(answer)
                #expect(verdict.action == action)
                #expect(verdict.outcome == outcome)
            }
        }
    }

    @Test("52: the service refuses what the hub refuses before")
    func refusesNumbers() async throws {
        try await FakedService.run(Faked.firebaseFake()) { faked in
            let web = WebCarrier(faked.options)
            var request = try Self.request(await Self.token(web))
            let body = #"{"message":{"token":"\#(Self.handle)","data":{"a":1}}}"#
            request.body = Array(body.utf8)
            let answer = try await web.send(request, within: Faked.patience)
            #expect(Self.verdict(answer).outcome == .invalidNotificationFormat)
        }
    }

    @Test("48: the token endpoint refuses, is in trouble, or is silent")
    func tokenEndpoint() async throws {
        let rules = ["@1=invalid_grant", "@2=UNAVAILABLE", "@3=silence"]
        try await FakedService.run(Faked.firebaseFake(), rules: rules) { faked in
            let web = WebCarrier(faked.options)
            let request = FirebaseToken.request(try Faked.firebase(), now: Faked.now)
            var actions: [RelayAction] = []
            for _ in 0..<2 {
                let answer = try await web.send(request, within: Faked.patience)
                guard case .refused(let verdict) = AccessTokenRequest.read(answer, now: Faked.now)
                else { continue }
                actions.append(verdict.action)
            }
            #expect(actions == [.credential, .stall(retryAfter: nil)])
            await #expect(throws: CarrierFailure.unanswered("no answer in 4.0 seconds")) {
                try await web.send(request, within: .seconds(4))
            }
        }
    }

    @Test("42: an assertion of another account gets no token")
    func wrongAccount() async throws {
        let other = FirebaseFake(
            key: Faked.googleKey.publicKey,
            project: "demo-project",
            email: "other@example.com"
        )
        try await FakedService.run(other) { faked in
            let request = FirebaseToken.request(try Faked.firebase(), now: Faked.now)
            let web = WebCarrier(faked.options)
            let answer = try await web.send(request, within: Faked.patience)
            guard case .refused(let verdict) = AccessTokenRequest.read(answer, now: Faked.now)
            else { return #expect(Bool(false), "a token") }
            #expect(verdict.action == .credential)
            #expect(verdict.reason == "invalid_grant")
        }
    }
}
