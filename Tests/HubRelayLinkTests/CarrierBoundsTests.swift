import HubRelay
import HubRelayLink
import RelayFakes
import Testing

/// Part H of the relays' reference: long answers, and TLS that proves nothing.
@Suite("Bounds of carriers")
struct CarrierBoundsTests {
    static let request = RelayRequest(
        host: "push.example.com",
        path: "/push/a",
        headers: [],
        body: []
    )

    static func failure(
        _ carrier: any RelayCarrier,
        within time: Duration = Faked.patience
    ) async -> CarrierFailure? {
        do throws(CarrierFailure) {
            _ = try await carrier.send(request, within: time)
            return nil
        } catch { return error }
    }

    @Test("106: an answer of ten megabytes is not read", arguments: [["h2"], ["http/1.1"]])
    func huge(protocols: [String]) async throws {
        try await FakedService.run(
            BrowserFake(),
            rules: ["1=huge"],
            protocols: protocols
        ) { faked in
            #expect(await Self.failure(WebCarrier(faked.options)) == .oversized)
            let chosen = try ChosenCarrier(faked.options)
            #expect(await Self.failure(chosen) == .oversized)
            if protocols == ["h2"] {
                let carrier = try StreamCarrier(.firebase, faked.options)
                #expect(await Self.failure(carrier) == .oversized)
            }
        }
    }

    @Test("106: an answer with a thousand headers is too long for a client of HTTP/1.1")
    func wide() async throws {
        let protocols = ["http/1.1"]
        try await FakedService.run(
            BrowserFake(),
            rules: ["1=wide"],
            protocols: protocols
        ) { faked in
            #expect(await Self.failure(WebCarrier(faked.options)) == .oversized)
            let chosen = try ChosenCarrier(faked.options)
            #expect(await Self.failure(chosen) == .oversized)
        }
    }

    @Test("106: an answer with a thousand headers costs a stream, and not its connection")
    func wideOverStreams() async throws {
        try await FakedService.run(BrowserFake(), rules: ["1=wide"], protocols: ["h2"]) { faked in
            let carrier = try StreamCarrier(.firebase, faked.options)
            for _ in 0..<2 { #expect(await Self.failure(carrier) == .oversized) }
            #expect(faked.journal.entries.map(\.request.connection) == [1, 1])
            // The client that others made says nothing of it, up to the request's time.
            let waited = CarrierFailure.unanswered("no answer in 5.0 seconds")
            #expect(await Self.failure(WebCarrier(faked.options), within: .seconds(5)) == waited)
        }
    }

    @Test("107: nothing is sent to a wrong name, an ended or an unknown certificate")
    func wrongCertificates() async throws {
        for kind in [FakeCertificate.Kind.wrongName, .expired, .untrusted] {
            try await FakedService.run(BrowserFake(), certificate: kind) { faked in
                let carriers: [any RelayCarrier] = [
                    WebCarrier(faked.options), try StreamCarrier(.apple, faked.options),
                    try ChosenCarrier(faked.options),
                ]
                for carrier in carriers {
                    let failure = await Self.failure(carrier)
                    guard case .unreachable? = failure else {
                        Issue.record("\(kind): \(String(describing: failure))")
                        continue
                    }
                }
                #expect(faked.journal.entries.isEmpty)
            }
        }
    }

    @Test("107: a service without HTTP/2 gets no request over streams")
    func noHTTP2() async throws {
        try await FakedService.run(BrowserFake(), protocols: ["http/1.1"]) { faked in
            let failure = await Self.failure(try StreamCarrier(.apple, faked.options))
            #expect(failure == .unreachable("the service does not speak HTTP/2"))
            #expect(faked.journal.entries.isEmpty)
        }
    }

    @Test("of the hosts with connections the one that was used the longest ago gives way")
    func hosts() async throws {
        try await FakedService.run(BrowserFake()) { faked in
            var options = faked.options
            options.hostsMax = 2
            let carriers: [any RelayCarrier] = [
                WebCarrier(options), try StreamCarrier(.chosen, options),
            ]
            let names = ["push.example.com", "fcm.googleapis.com", "oauth2.googleapis.com"]
            for carrier in carriers {
                var connections: [Int] = []
                for place in [0, 1, 2, 1, 0] {
                    var request = Self.request
                    request.host = names[place]
                    _ = try await carrier.send(request, within: Faked.patience)
                    let entry = try #require(faked.journal.entries.last)
                    connections.append(entry.request.connection)
                }
                #expect(connections[3] == connections[1])
                #expect(Set(connections).count == 4, "\(connections)")
            }
        }
    }

    @Test("a port where nothing listens is a service that is not there")
    func nothingListens() async throws {
        var options = CarrierOptions()
        options.places["push.example.com"] = CarrierOptions.Place(address: "127.0.0.1", port: 1)
        let carriers: [any RelayCarrier] = [
            WebCarrier(options), try StreamCarrier(.apple, options), try ChosenCarrier(options),
        ]
        for carrier in carriers {
            guard case .unreachable? = await Self.failure(carrier) else {
                Issue.record("\(carrier)")
                continue
            }
        }
    }

    @Test("a request ends at its time when the service says nothing")
    func deadline() async throws {
        try await FakedService.run(BrowserFake(), rules: ["1=silence"]) { faked in
            let carriers: [any RelayCarrier] = [
                WebCarrier(faked.options), try StreamCarrier(.apple, faked.options),
                try ChosenCarrier(faked.options),
            ]
            for carrier in carriers {
                let failure = await Self.failure(carrier, within: .seconds(8))
                guard case .unanswered? = failure else {
                    Issue.record("\(String(describing: failure))")
                    continue
                }
            }
        }
    }
}
