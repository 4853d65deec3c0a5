import Foundation
import HubClient
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Two nodes of a database", .enabled(if: TemporaryPostgres.isInstalled))
struct NodeTests {
    private static let choice = RegistrationChoice(platform: .apple, tags: ["World"])

    private static func payloads(_ texts: [String]) -> [String] {
        texts.map { NewsFormat.payload(.apple, $0) }
    }

    @Test("the second waits, says who leads, and ends when it is told to")
    func standby() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let caller = try RESTCaller(connection.at(second))
        let health = try await caller.perform(.GET, "healthz", authorization: nil)
        #expect(health.status == 200 && health.text.contains(#""status":"front""#))
        #expect(health.text.contains(#""address":"127.0.0.1:\#(first.rest)""#), "\(health.text)")
        let leads = try await caller.perform(
            .GET,
            "healthz",
            query: "&leads=\(connection.hub)",
            authorization: nil
        )
        #expect(leads.status == 503 && leads.text.contains("another node leads"))
        await caller.close()
        let other = try RESTCaller(connection)
        let led = try await other.perform(
            .GET,
            "healthz",
            query: "&leads",
            authorization: nil
        )
        #expect(led.status == 200)
        await other.close()
        #expect(second.program.errors.events.contains { $0.contains("another node leads") })
        second.program.signal(SIGHUP)
        try await second.program.errors.wait(for: "another look at the certificate") { lines in
            lines.contains { $0.contains("certificate reloaded") }
        }
        #expect(try await second.terminate() == 0)
        #expect(try await first.terminate() == 0)
    }

    @Test("a node inside a network of balancers carries, and others there need their header")
    func balancer() async throws {
        let proxies = ["BELFRY_REST_PROXY": "127.0.0.0/8"]
        let url = try TemporaryPostgres.shared.get().newDatabase()
        let first = try ServedNode(url, environment: proxies)
        let connection = try await first.leads()
        let second = try ServedNode(url, like: first)
        try await second.standsBy()
        let caller = try RESTCaller(connection.at(second))
        #expect(try await caller.sendNews("1").status == 201)
        await caller.close()
        let rest = connection.rest.port
        let link = try await RawLink(connection, port: rest, .tls(alpn: ["http/1.1"]))
        try await link.closedByHub()
        // The other one may have the same balancers.
        #expect(try await second.terminate() == 0)
        let third = try ServedNode(url, like: first, environment: proxies)
        try await third.standsBy()
        #expect(try await third.terminate() == 0)
        #expect(try await first.terminate() == 0)
    }

    @Test("belfry cluster status lists both, and says which one leads")
    func status() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let lines = try await second.clusterStatus()
        #expect(lines.count == 4 && lines[0].hasPrefix("term 1, the lease ends in "), "\(lines)")
        let machine = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        for (node, word) in [(first, "leads"), (second, "standby")] {
            let line = lines.first { $0.contains("127.0.0.1:\(node.rest)") }
            #expect(line?.hasPrefix(word) == true, "\(lines)")
            #expect(line?.contains(" \(machine) ") == true, "\(lines)")
        }
        let text = try await first.clusterStatus(["--json"]).joined()
        #expect(text.contains(#""term":1"#) && text.contains(#""state":"standby""#), "\(text)")
        // Each node tells the same over REST, and itself from the other.
        for (node, other) in [(first, second), (second, first)] {
            let caller = try RESTCaller(connection.at(node))
            let namespace = try caller.token(
                #require(connection.connectionStrings.namespace),
                path: ""
            )
            let told = try await caller.perform(
                .GET,
                "$belfry/cluster",
                authorization: namespace
            )
            await caller.close()
            #expect(told.status == 200 && told.text.contains(#""term":1"#), "\(told.text)")
            #expect(told.text.contains(#""leads":\#(node === first)"#), "\(told.text)")
            for (each, isItself) in [(node, true), (other, false)] {
                let text = #"{"address":"127.0.0.1:\#(each.rest)","answers":\#(isItself)"#
                #expect(told.text.contains(text), "\(told.text)")
            }
        }
        let top = try Program.belfry(["top", "--once", "--data", first.folder.path])
        #expect(try await top.exitCode() == 0)
        let nodes = try #require(top.output.events.last { $0.hasPrefix("nodes: ") })
        #expect(nodes.contains(" leads, ") && nodes.hasSuffix(" (standby)"), "\(nodes)")
        // A node that ended without a word is none that waits.
        try await second.kill()
        try await eventually("a silent node", within: .seconds(30)) {
            try await first.clusterStatus().contains { $0.hasPrefix("silent for ") }
        }
        try second.startAgain()
        try await second.standsBy()
        #expect(try await second.terminate() == 0)
        #expect(try await first.terminate() == 0)
        let left = try await first.clusterStatus()
        #expect(left.count == 3 && left[0] == "term 1, no node leads", "\(left)")
        #expect(left.last?.hasPrefix("silent for ") == true, "\(left)")
    }

    @Test("a node that is told to end while it takes over ends, and does not serve on")
    func toldMeanwhile() async throws {
        let (first, second, _) = try await ServedNode.pair()
        try await first.kill()
        try await second.program.errors.wait(for: "the lead") { lines in
            lines.contains { $0.contains("this node leads") }
        }
        #expect(try await second.terminate() == 0)
        let third = try ServedNode(second.databaseURL, like: first)
        try await third.leads()
        #expect(try await third.terminate() == 0)
    }

    @Test("a leader that ends in order hands over at once, with devices, keys and hubs")
    func handsOver() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let caller = try RESTCaller(connection)
        let phone = try await Phone.subscribed(connection, Self.choice)
        #expect(try await caller.sendNews("1").status == 201)
        try await phone.receive(1)
        let store = phone.store
        await phone.close()
        #expect(try await caller.sendNews("2").status == 201)
        let namespace = try caller.token(#require(connection.connectionStrings.namespace), path: "")
        let made = try await caller.perform(
            .PUT,
            "made",
            body: HubManagementTests.description(),
            authorization: namespace
        )
        #expect(made.status == 201, "\(made.text)")
        await caller.close()
        #expect(try await first.terminate() == 0)
        // No node waits for the lease.
        let start = ContinuousClock.now
        let next = try await second.leads()
        print("handed over in \(ContinuousClock.now - start)")
        #expect(
            next.connectionStrings.listen.split(separator: ";").dropFirst()
                == connection.connectionStrings.listen.split(separator: ";").dropFirst()
        )
        let again = try RESTCaller(next)
        // The key of a send is known to the next leader.
        #expect(try await again.sendNews("2").status == 201)
        #expect(try await again.sendNews("3").status == 201)
        let hub = try await again.perform(.GET, "made", authorization: namespace)
        #expect(hub.status == 200, "\(hub.text)")
        let back = try Phone(next, store: store)
        try await back.receive(2)
        #expect(back.texts == Self.payloads(["2", "3"]))
        #expect(back.openings.map(\.outcome) == [.resumed])
        await back.close()
        await again.close()
        #expect(try await second.terminate() == 0)
    }

    @Test("a leader that is killed is replaced; started again it waits")
    func killed() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let caller = try RESTCaller(connection)
        #expect(try await caller.sendNews("1").status == 201)
        await caller.close()
        try await first.kill()
        let start = ContinuousClock.now
        let next = try await second.leads()
        print("taken over in \(ContinuousClock.now - start)")
        try first.startAgain()
        try await first.standsBy()
        let again = try RESTCaller(next)
        #expect(try await again.sendNews("2").status == 201)
        await again.close()
        #expect(try await first.terminate() == 0)
        #expect(try await second.terminate() == 0)
    }

    @Test("a node that waits follows, and takes over with its copies level and its directory warm")
    func warm() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let caller = try RESTCaller(connection)
        let phone = try await Phone.subscribed(connection, Self.choice)
        #expect(try await caller.sendNews("1").status == 201)
        try await phone.receive(1)
        try await eventually("copies that are level", within: .seconds(30)) {
            try await first.clusterStatus().contains { line in
                line.hasPrefix("standby") && line.contains("level, warm")
            }
        }
        let json = try await first.clusterStatus(["--json"]).joined()
        #expect(json.contains(#""groupsBehind":0"#) && json.contains(#""isWarm":true"#), "\(json)")
        // A change that comes now is followed by the copy, and by the directory in memory.
        let made = try await caller.perform(
            .PUT,
            "\(connection.hub)/installations/i-1",
            headers: ["Content-Type": "application/json"],
            body: """
                {"installationId":"i-1","platform":"apns","pushChannel":"AB01","tags":["Followed"]}
                """,
            authorization: caller.token(connection.connectionStrings.full)
        )
        #expect(made.status == 200, "\(made.text)")
        let store = phone.store
        await phone.close()
        await caller.close()
        try await first.kill()
        let next = try await second.leads()
        let told = second.program.errors.events.filter { $0.contains("the hub is led here") }
        #expect(told.count == 1 && told[0].contains("start=warm"), "\(told)")
        let again = try RESTCaller(next)
        let metrics = try await again.perform(
            .GET,
            "$belfry/metrics",
            authorization: second.folder.metricsToken()
        )
        let line = #"belfry_hubs_opened_total{hub="\#(next.hub)",start="warm"} 1"#
        #expect(metrics.text.contains(line), "\(metrics.text)")
        let listed = try await again.perform(
            .GET,
            "\(next.hub)/tags/Followed/registrations",
            authorization: again.token(next.connectionStrings.full)
        )
        #expect(listed.status == 200 && listed.text.contains("AB01"), "\(listed.text)")
        #expect(try await again.sendNews("2").status == 201)
        let back = try Phone(next, store: store)
        try await back.receive(1)
        #expect(back.texts == Self.payloads(["2"]))
        await back.close()
        await again.close()
        #expect(try await second.terminate() == 0)
    }

    @Test("a leader that froze stores nothing when it goes on, and ends with a sentence")
    func frozen() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let caller = try RESTCaller(connection)
        let phone = try await Phone.subscribed(connection, Self.choice)
        #expect(try await caller.sendNews("1").status == 201)
        try await phone.receive(1)
        let store = phone.store
        try await first.freeze()
        let late = Task { try await caller.sendNews("2").status }
        let next = try await second.leads()
        let again = try RESTCaller(next)
        #expect(try await again.sendNews("3").status == 201)
        first.thaw()
        // Its connection is cut, or it hears that nothing was stored.
        let status = try? await late.value
        #expect(status != 201)
        #expect(try await first.program.exitCode() == 1)
        let told = first.program.errors.events.contains { $0.contains("Error: ") }
        #expect(told, "\(first.program.errors.events)")
        let token = try second.folder.metricsToken()
        let numbers = try await again.perform(.GET, "$belfry/metrics", authorization: token).text
        #expect(numbers.contains(#"belfry_lead_events_total{event="taken"} 1"#), "\(numbers)")
        #expect(try await again.sendNews("2").status == 201)
        await phone.close()
        let back = try Phone(next, store: store)
        try await back.receive(2)
        #expect(back.texts == Self.payloads(["3", "2"]))
        await back.close()
        await caller.close()
        await again.close()
        #expect(try await second.terminate() == 0)
    }

    @Test("belfry cluster move hands the lead to a node, and forget removes one that has ended")
    func moves() async throws {
        let (first, second, _) = try await ServedNode.pair()
        let third = try ServedNode(first.databaseURL, like: first)
        try await third.standsBy()
        let name = "127.0.0.1:\(third.rest)"
        let told = try await first.cluster("move", ["--to", name])
        #expect(told == ["\(name) leads, term 2"])
        try await third.leads()
        let balance = try await first.cluster("rebalance", [])
        #expect(balance.count == 2 && balance[0].contains("(\(name)) leads all hubs"), "\(balance)")
        #expect(balance[1].contains("127.0.0.1:\(second.rest)) would take over best"), "\(balance)")
        #expect(try await first.program.exitCode() == 1)
        #expect(first.program.errors.events.contains { $0.contains("belfry cluster move") })
        await #expect(throws: RigLoad.Failed.self) {
            try await first.cluster("move", ["--to", "nowhere"])
        }
        await #expect(throws: RigLoad.Failed.self) {
            try await first.cluster("forget", ["127.0.0.1:\(second.rest)"])
        }
        try await second.kill()
        try await eventually("a node that is forgotten", within: .seconds(30)) {
            (try? await first.cluster("forget", ["127.0.0.1:\(second.rest)"])) != nil
        }
        let left = try await first.clusterStatus()
        #expect(!left.contains { $0.contains("127.0.0.1:\(second.rest)") }, "\(left)")
        #expect(try await third.terminate() == 0)
    }

    @Test("belfry doctor sees a database without a standby, and a folder without its key")
    func doctor() async throws {
        let node = try ServedNode(try TemporaryPostgres.shared.get().newDatabase())
        try await node.leads()
        func findings() async throws -> String {
            let program = try Program.belfry(
                ["doctor", "--data", node.folder.path, "--json"],
                environment: ["BELFRY_DATABASE_URL": node.databaseURL]
            )
            _ = try await program.exitCode()
            return program.output.events.joined()
        }
        let found = try await findings()
        #expect(found.contains("W40") && !found.contains("E37") && !found.contains("E38"))
        try FileManager.default.removeItem(atPath: node.folder.file("cluster.key"))
        #expect(try await findings().contains("E38"))
        #expect(try await node.terminate() == 0)
        #expect(try await findings().contains("W40"))
    }

    @Test("a node with other limits than the leader's is refused, and names the first of them")
    func otherLimits() async throws {
        let (first, second, _) = try await ServedNode.pair()
        let third = try ServedNode(
            first.databaseURL,
            like: first,
            environment: ["BELFRY_TAGS_MAX": "5"]
        )
        #expect(try await third.program.exitCode() == 1)
        let told = third.program.errors.events.joined()
        #expect(told.contains("with tags.max = 10000000, and here it is 5"), "\(told)")
        #expect(try await second.terminate() == 0)
        #expect(try await first.terminate() == 0)
        // Without a leader it leads.
        try third.startAgain()
        try await third.leads()
        #expect(try await third.terminate() == 0)
    }

    @Test("a node without the database's key, or with another one, is refused")
    func otherKey() async throws {
        let url = try TemporaryPostgres.shared.get().newDatabase()
        let first = try ServedNode(url)
        try await first.leads()
        try await RefusedStart.expect(
            ["--data", ScenarioFolder().path, "--database", url],
            ["keys are in another data folder", "cluster.key"]
        )
        let folder = ScenarioFolder()
        try folder.write(Data(repeating: 7, count: 32).base64EncodedString(), to: "cluster.key")
        try await RefusedStart.expect(
            ["--data", folder.path, "--database", url],
            ["cluster.key", "is not the key"]
        )
        #expect(try await first.terminate() == 0)
    }
}
