import Testing

@Suite("Lists of installations")
struct InstallationListTests {
    private struct Client {
        let hub: CoreHub

        func ask(_ method: Verb, _ path: String, _ body: String? = nil) async throws -> Reply {
            try await HubRESTTests.ask(
                hub,
                method,
                path,
                token: CoreHub.token("https://hub.example.net/news"),
                bytes: body.map { Array($0.utf8) }
            )
        }

        func list(_ query: String) async throws -> Reply {
            try await ask(.get, "/news/$belfry/installations?\(query)")
        }
    }

    /// A hub with five installations.
    private static func client() async throws -> Client {
        let client = Client(hub: try CoreHub())
        for number in 1...5 {
            let more =
                switch number {
                case 1: #","userId":"mara","templates":{"Daily news":{"body":"{}"}}"#
                case 2: #","tags":["World","locale:fr"],"expirationTime":"2027-01-01T00:00:00Z""#
                default: #","tags":["world"]"#
                }
            let id = number == 4 ? "x-4" : "I-\(number)"
            let put = try await client.ask(
                .put,
                "/news/installations/\(id)",
                #"{"installationId":"\#(id)","platform":"\#(number == 5 ? "gcm" : "apns")","#
                    + #""pushChannel":"AB0\#(number)"\#(more)}"#
            )
            #expect(put.status == 200, "\(put.body)")
        }
        return client
    }

    @Test("show what tells one from another, page by page, and no handle")
    func pages() async throws {
        let client = try await Self.client()
        let first = try await client.list("$top=2")
        #expect(first.status == 200)
        #expect(first["Content-Type"] == "application/json; charset=utf-8")
        #expect(
            first.body == #"{"continuationToken":"00000002","installations":["#
                + #"{"installationId":"I-1","platform":"apns","userId":"mara","#
                + #""templates":["Daily news"]},"#
                + #"{"installationId":"I-2","platform":"apns","#
                + #""expirationTime":"2027-01-01T00:00:00.000Z","tags":["World","locale:fr"]}"#
                + #"],"total":5}"#
        )
        let second = try await client.list("%24top=2&ContinuationToken=00000002")
        #expect(second.body.contains(#""installationId":"I-3""#), "\(second.body)")
        #expect(second.body.contains(#""installationId":"x-4""#))
        let last = try await client.list("continuationtoken=00000004")
        #expect(
            last.body == #"{"installations":[{"installationId":"I-5","platform":"gcm","#
                + #""tags":["world"]}],"total":5}"#
        )
    }

    @Test(
        "are filtered and counted",
        arguments: [
            ("", ["I-1", "I-2", "I-3", "x-4", "I-5"]), ("prefix=i-", ["I-1", "I-2", "I-3", "I-5"]),
            ("user=MARA", ["I-1"]), ("tag=%24UserId:%7Bmara%7D", ["I-1"]),
            ("tag=Daily+news", ["I-1"]), ("tag=WORLD&platform=APNS", ["I-2", "I-3", "x-4"]),
            ("platform=gcm&prefix=x", []), ("tag=unknown", []),
        ]
    )
    func filters(query: String, ids: [String]) async throws {
        let client = try await Self.client()
        let list = try await client.list(query)
        let found = list.body.split(separator: #""installationId":""#).dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
        #expect(found == ids, "\(list.body)")
        let count = try await client.list(query + "&count")
        #expect(count.body == #"{"count":\#(ids.count),"total":5}"#)
    }

    @Test(
        "refuse what they cannot answer",
        arguments: [
            ("platform=palm", "platform: is no platform"), ("user=a&tag=b", "user: cannot be"),
            ("$top=0", "$top: must be a number"), ("continuationtoken=1", "ContinuationToken: is"),
        ]
    )
    func refusals(query: String, detail: String) async throws {
        let reply = try await Client(hub: try CoreHub()).list(query)
        #expect(reply.status == 400)
        #expect(reply.body.contains("SubCode=40000. \(detail)"), "\(reply.body)")
    }
}
