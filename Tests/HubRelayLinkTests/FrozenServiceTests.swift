import HubRelay
import HubRelayLink
import RelayFakes
import Testing

/// Case 19 of the relays' reference for the services beside Apple's.
@Suite("Relay to a service that freezes")
struct FrozenServiceTests {
    /// A service, and how its requests come to it.
    enum Service: CaseIterable, Sendable {
        case firebase, windows, browser, browserWithoutStreams

        var fake: any FakeService {
            switch self {
            case .firebase: Faked.firebaseFake()
            case .windows: Faked.windowsFake()
            case .browser, .browserWithoutStreams: BrowserFake()
            }
        }

        /// The request behind which its connection reads nothing.
        var rule: String {
            switch self {
            // The first is for the token.
            case .firebase, .windows: "@2=freeze+60"
            case .browser, .browserWithoutStreams: "@1=freeze+60"
            }
        }

        var protocols: [String] { self == .browserWithoutStreams ? ["http/1.1"] : ["h2"] }

        /// How long the request has that the service does not read; streams ask by PING before.
        var time: Duration {
            switch self {
            case .firebase, .browser: Faked.patience
            case .windows, .browserWithoutStreams: .seconds(8)
            }
        }

        var failure: CarrierFailure {
            switch self {
            case .firebase, .browser: .lost("no answer to a PING")
            case .windows, .browserWithoutStreams: .unanswered("no answer in 8.0 seconds")
            }
        }

        /// The carrier of its lane, and one of its requests.
        func lane(_ faked: FakedService) async throws -> (any RelayCarrier, RelayRequest) {
            var options = faked.options
            options.times.silence = .seconds(3)
            options.times.ping = .seconds(3)
            let web = WebCarrier(options)
            switch self {
            case .firebase:
                let token = try await FirebaseCarrierTests.token(web)
                let carrier = try StreamCarrier(.firebase, options)
                return (carrier, try FirebaseCarrierTests.request(token))
            case .windows:
                let token = try await WindowsCarrierTests.token(web)
                return (web, try WindowsCarrierTests.request(token))
            case .browser, .browserWithoutStreams:
                let port = faked.server.port
                let request = try BrowserCarrierTests.request("anna", port: port, text: [65])
                return (try ChosenCarrier(options), request)
            }
        }
    }

    @Test(
        "19: a request to a frozen service ends, and the next finds another connection",
        arguments: Service.allCases
    )
    func frozen(service: Service) async throws {
        try await FakedService.run(
            service.fake,
            rules: [service.rule],
            protocols: service.protocols
        ) { faked in
            let (carrier, request) = try await service.lane(faked)
            // HTTP/1.1 has no answer to the request behind which nothing is read.
            if service != .browserWithoutStreams {
                let answer = try await carrier.send(request, within: Faked.patience)
                #expect((200...201).contains(answer.status))
            }
            await #expect(throws: service.failure) {
                try await carrier.send(request, within: service.time)
            }
            let frozen = try #require(faked.journal.entries.last?.request.connection)
            let answer = try await carrier.send(request, within: Faked.patience)
            #expect((200...201).contains(answer.status))
            // What was sent to the frozen one is read when that ends, which may be behind this.
            #expect(faked.journal.entries.contains { $0.request.connection > frozen })
        }
    }

    @Test("connections of a name that was looked up again meanwhile are forgotten too")
    func lookedUpAgain() async throws {
        try await FakedService.run(
            Faked.windowsFake(),
            rules: [Service.windows.rule],
            protocols: Service.windows.protocols
        ) { faked in
            var options = faked.options
            options.times.lookUp = .zero
            let carrier = WebCarrier(options)
            let request = try WindowsCarrierTests.request(
                try await WindowsCarrierTests.token(carrier)
            )
            _ = try await carrier.send(request, within: Faked.patience)
            let short = Task { try await carrier.send(request, within: .seconds(2)) }
            let long = Task { try await carrier.send(request, within: .seconds(10)) }
            await #expect(throws: CarrierFailure.unanswered("no answer in 2.0 seconds")) {
                try await short.value
            }
            let answer = try await carrier.send(request, within: Faked.patience)
            #expect(answer.status == 200)
            await #expect(throws: CarrierFailure.unanswered("no answer in 10.0 seconds")) {
                try await long.value
            }
        }
    }
}
