import Foundation
import HubClient
import HubTestSupport
import HubTransport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("A node that does not lead", .enabled(if: TemporaryPostgres.isInstalled))
struct FrontTests {
    private static let choice = RegistrationChoice(platform: .apple, tags: ["World"])

    private static func end(_ nodes: ServedNode...) async throws {
        for node in nodes { #expect(try await node.terminate() == 0) }
    }

    @Test("carries requests to the leader, and answers as that does")
    func carries() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let phone = try await Phone.subscribed(connection, Self.choice)
        let caller = try RESTCaller(connection.at(second))
        let sent = try await caller.sendNews("1", hasKey: false)
        #expect(sent.status == 201, "\(sent.text)")
        // As the client wrote it: a sender goes on where it began.
        #expect(sent.headers["location"]?.contains(":\(second.rest)/") == true, "\(sent.headers)")
        #expect(sent.headers["trackingid"] != nil && sent.headers["belfry-front"] == nil)
        #expect(sent.headers["idempotency-key"]?.count == 32, "\(sent.headers)")
        for target in ["@127.0.0.1:1/x", "https://127.0.0.1:1/x", "//127.0.0.1:1/x"] {
            let answer = try await RawExchange.send("GET", target, to: connection.at(second))
            #expect((400..<500).contains(answer.status ?? 0), "\(target)")
        }
        try await phone.receive(1)
        let refused = try await caller.perform(.GET, connection.hub, authorization: nil)
        #expect(refused.status == 401, "\(refused.text)")
        let unknown = try await caller.perform(.GET, "a/b/c/d/e", authorization: nil)
        #expect(unknown.status == 404)
        let token = try caller.token(#require(connection.connectionStrings.namespace), path: "")
        let made = try await caller.perform(
            .PUT,
            "made",
            body: HubManagementTests.description(),
            authorization: token
        )
        #expect(made.status == 201, "\(made.text)")
        // Too large for any leader, and not sent there.
        let large = try await caller.send(String(repeating: "x", count: 65_537))
        #expect(large.status == 413, "\(large.text)")
        let numbers = try await caller.perform(.GET, "$belfry/metrics", authorization: token)
        #expect(numbers.text.contains(#"belfry_front_requests_total{outcome="carried"} "#))
        #expect(numbers.text.contains("belfry_leads 0"), "the numbers are the node's own")
        let scraper = try second.folder.metricsToken()
        let scraped = try await caller.perform(.GET, "$belfry/metrics", authorization: scraper)
        #expect(scraped.text.contains("belfry_leads 0"), "by the node's own token: \(scraped.text)")
        await phone.close()
        await caller.close()
        try await Self.end(second, first)
    }

    @Test("carries sends that come together in few requests, and answers each as it is")
    func bundles() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let phone = try await Phone.subscribed(connection, Self.choice)
        let caller = try RESTCaller(connection.at(second))
        let texts = (0..<64).map { "\($0)" }
        let place = ":\(second.rest)/"
        let ids: [String: String] = try await withThrowingTaskGroup(
            of: (text: String, id: String).self
        ) { group in
            for text in texts {
                group.addTask {
                    let answer = try await caller.sendNews(text, hasKey: false)
                    #expect(answer.status == 201, "\(answer.text)")
                    #expect(answer.headers["idempotency-key"]?.count == 32)
                    let location = answer.headers["location"] ?? "\(text) has none"
                    #expect(location.contains(place), "\(location)")
                    return (text, location)
                }
                group.addTask {
                    // Wrong ones travel with the others, and are told what is wrong with them.
                    let headers = ["ServiceBusNotification-Tags": "a && || \(text)"]
                    let answer = try await caller.sendNews(text, headers: headers)
                    #expect(answer.status == 400 && answer.text.contains("SubCode="))
                    return (text, "")
                }
            }
            return try await group.reduce(into: [:]) { ids, one in
                if !one.id.isEmpty { ids[one.id] = one.text }
            }
        }
        #expect(ids.count == texts.count && Set(ids.values) == Set(texts))
        try await phone.receive(texts.count)
        #expect(phone.texts.sorted() == texts.map { NewsFormat.payload(.apple, $0) }.sorted())
        let token = try first.folder.metricsToken()
        let numbers = try await caller.perform(.GET, "$belfry/metrics", authorization: token).text
        func count(_ outcome: String) -> Int {
            let name = "belfry_front_requests_total{outcome=\"\(outcome)\"} "
            let line = numbers.split(separator: "\n").first { $0.hasPrefix(name) }
            return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
        }
        #expect(count("bundled") > 1, "\(numbers)")
        #expect(count("carried") == 2 * texts.count, "\(numbers)")
        await phone.close()
        await caller.close()
        try await Self.end(second, first)
    }

    @Test("carries nothing twice, and strangers carry nothing to a leader")
    func forged() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        for node in [first, second] {
            let caller = try RESTCaller(connection.at(node))
            for word in ["", "- AAAA", "192.0.2.1 \(String(repeating: "A", count: 43))="] {
                let answer = try await caller.sendNews("1", headers: ["Belfry-Front": word])
                #expect(answer.status == 503, "\(answer.text)")
                #expect(answer.headers["belfry-front"] == "misdirected")
            }
            await caller.close()
        }
        try await Self.end(second, first)
    }

    @Test(
        "answers each request that is with it when the leader ends, once",
        arguments: NodeRig.End.allCases
    )
    func answers(end: NodeRig.End) async throws {
        let (first, second, connection) = try await ServedNode.pair()
        // The device knows the front alone, too.
        let phone = try await Phone.subscribed(connection.at(second), Self.choice)
        let caller = try RESTCaller(connection.at(second))
        let told = EventLog<(text: String, id: String, took: Duration)>()
        let senders = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<4 {
                    group.addTask {
                        for number in 0..<15 {
                            let text = "\(sender).\(number)"
                            let start = ContinuousClock.now
                            // No key: the front has to give it one.
                            let answer = try await caller.sendNews(text, hasKey: false)
                            #expect(answer.status == 201, "\(text): \(answer.text)")
                            let id = answer.headers["location"] ?? "\(text) has none"
                            told.append((text, id, ContinuousClock.now - start))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await told.wait(for: "some answers", seconds: 60) { $0.count >= 6 }
        switch end {
        case .killed: try await first.kill()
        case .frozen: try await first.freeze()
        case .told: first.program.signal(SIGTERM)
        }
        try await second.leads()
        try await senders.value
        if end == .frozen { first.thaw() }
        if end == .killed {
            let lines = second.program.errors.events
            #expect(lines.contains { $0.contains("the node that leads is not reached") })
            let token = try second.folder.metricsToken()
            let numbers = try await caller.perform(
                .GET,
                "$belfry/metrics",
                authorization: token
            ).text
            #expect(numbers.contains(#"belfry_lead_events_total{event="unreached"}"#))
        }
        let all = told.events
        print("\(end): the slowest answer took \(all.map(\.took).max() ?? .zero)")
        #expect(all.count == 60 && Set(all.map(\.id)).count == 60)
        try await phone.receive(60)
        #expect(phone.texts.sorted() == all.map { NewsFormat.payload(.apple, $0.text) }.sorted())
        #expect(phone.openings.dropFirst().allSatisfy { $0.outcome == .resumed })
        await phone.close()
        await caller.close()
        try await Self.end(second)
        if end != .killed { _ = try await first.program.exitCode() }
    }

    @Test("says where it lost the leader that the outcome of a change is not known")
    func doubt() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let caller = try RESTCaller(connection.at(second))
        let token = try caller.token(connection.connectionStrings.full)
        // A frozen leader takes no new connection, and nothing is sent without one: so the front has
        // several. Its own greeting takes one at most.
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let path = "\(connection.hub)/registrations"
                    return try await caller.perform(.GET, path, authorization: token).status
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        try await first.freeze()
        let answer = try await caller.perform(
            .POST,
            "\(connection.hub)/registrationIDs",
            authorization: token
        )
        #expect(answer.status == 503, "\(answer.text)")
        #expect(answer.headers["belfry-outcome"] == "unknown", "\(answer.headers)")
        #expect(answer.headers["retry-after"] != nil)
        try await second.leads()
        first.thaw()
        await caller.close()
        try await Self.end(second)
        _ = try await first.program.exitCode()
    }

    @Test("passes devices on to the leader, which has them by their own addresses")
    func devices() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let phone = try await Phone.subscribed(connection.at(second), Self.choice)
        let caller = try RESTCaller(connection)
        for number in 1...20 {
            #expect(try await caller.sendNews("\(number)", hasKey: false).status == 201)
        }
        try await phone.receive(20)
        // More than one buffer of each direction holds.
        let long = String(repeating: "x", count: 3_000)
        for number in 1...20 {
            #expect(try await caller.sendNews("\(number) \(long)", hasKey: false).status == 201)
        }
        try await phone.receive(40)
        #expect(phone.openings.count == 1)
        let token = try caller.token(#require(connection.connectionStrings.namespace), path: "")
        let numbers = try await RESTCaller(connection.at(second))
            .perform(.GET, "$belfry/metrics", authorization: token)
        #expect(numbers.text.contains("belfry_front_connections_open 1\n"), "\(numbers.text)")
        // Without a proof a header is refused, and a front passes none on twice.
        for node in [first, second] {
            let link = try await RawLink(connection, port: node.devices, .plain)
            let stranger = try SocketAddress(numeric: "203.0.113.7", port: 7)
            await link.write(ProxyHeader(source: stranger).encoded(to: stranger) + [0x16])
            try await link.closedByHub()
        }
        let store = phone.store
        try await second.kill()
        try await phone.disconnected(times: 1)
        await phone.close()
        let back = try Phone(connection, store: store)
        #expect(try await caller.sendNews("last", hasKey: false).status == 201)
        try await back.receive(1)
        #expect(back.texts == [NewsFormat.payload(.apple, "last")])
        await back.close()
        await caller.close()
        try await Self.end(first)
    }
}
