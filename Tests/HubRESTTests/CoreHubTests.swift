import HubModel
import Testing

/// The routes in front of the real rules: what a client sees when nothing is faked but the store.
@Suite("In front of the real core")
struct CoreHubTests {
    private static let token = String(repeating: "a1B2", count: 16)

    private static func body(tags: String = "World") -> [UInt8] {
        let text = canonical(
            "AppleRegistrationDescription",
            "<Tags>\(tags)</Tags><DeviceToken>\(token)</DeviceToken>"
        )
        return Array(text.utf8)
    }

    @Test(
        "tokens of every client open its own paths",
        arguments: [
            "http://hub.example.net/news/registrations/",  // .NET
            "https://hub.example.net:8443/news/Registrations/?api-version=2020-06",  // Java
            "https://hub.example.net/", "HTTPS://HUB.EXAMPLE.NET",  // JavaScript, Go
            "sb://hub.example.net/News", "https://hub.example.net/news",  // Python
        ]
    )
    func audiences(_ resource: String) async throws {
        let hub = try CoreHub()
        let uri = "/news/Registrations/?api-version=2020-06"
        let signed = CoreHub.token(resource)
        let reply = try await ask(hub, .post, uri, token: signed, bytes: Self.body())
        #expect(reply.status == 200, "\(reply.body)")
        let foreign = try await ask(
            hub,
            .post,
            "/news/messages",
            token: CoreHub.token("https://hub.example.net/newsroom"),
            bytes: Array("{}".utf8)
        )
        #expect(foreign.status == 401)
        #expect(foreign.body.contains("SubCode=40104."), "\(foreign.body)")
    }

    @Test("an old device SDK finds, reserves, puts, updates and deletes with a Listen token")
    func deviceSequence() async throws {
        let hub = try CoreHub()
        let listen = CoreHub.token("http://hub.example.net/news", isListen: true)
        let lookUp =
            "/news/Registrations/?$filter=deviceToken+eq+'\(Self.token.lowercased())'"
            + "&api-version=2013-04"
        let none = try await ask(hub, .get, lookUp, token: listen, bytes: nil)
        #expect(none.status == 200 && !none.body.contains("<entry"))
        let reserved = try await ask(
            hub,
            .post,
            "/news/registrationids/?api-version=2013-04",
            token: listen,
            bytes: nil
        )
        let location = try #require(reserved["Location"])
        let id = try #require(location.split(separator: "/").last?.split(separator: "?").first)
        let path = "/news/Registrations/\(id)?api-version=2013-04"
        let stored = try await ask(hub, .put, path, token: listen, bytes: Self.body())
        #expect(stored.status == 200, "\(stored.body)")
        #expect(stored["ETag"] == "W/\"1\"")
        let shown = "<DeviceToken>\(Self.token.uppercased())</DeviceToken>"
        #expect(stored.body.contains("<Tags>World</Tags>" + shown), "\(stored.body)")
        let found = try await ask(hub, .get, lookUp, token: listen, bytes: nil)
        #expect(found.body.contains("<RegistrationId>\(id)</RegistrationId>"), "\(found.body)")
        let changed = try await ask(
            hub,
            .put,
            path,
            token: listen,
            headers: [("If-Match", "\"1\"")],
            bytes: Self.body(tags: "World,Sports")
        )
        #expect(changed["ETag"] == "W/\"2\"")
        let stale = try await ask(
            hub,
            .put,
            path,
            token: listen,
            headers: [("If-Match", "W/\"1\"")],
            bytes: Self.body()
        )
        #expect(stale.status == 412)
        let deleted = try await ask(
            hub,
            .delete,
            path,
            token: listen,
            headers: [("If-Match", "*")],
            bytes: nil
        )
        #expect(deleted.status == 200 && deleted.body.isEmpty)
        #expect(try await ask(hub, .get, path, token: listen, bytes: nil).status == 404)
        let gone = try await ask(hub, .put, path, token: listen, bytes: Self.body())
        #expect(gone.status == 410, "\(gone.body)")
    }

    @Test("a Listen token may neither send, list by tag, nor set protected tags")
    func listen() async throws {
        let hub = try CoreHub()
        let listen = CoreHub.token("https://hub.example.net/", isListen: true)
        let send = try await ask(
            hub,
            .post,
            "/news/messages",
            token: listen,
            bytes: Array("{}".utf8)
        )
        #expect(send.status == 403)
        #expect(send.body.contains("Send claim is required for this operation."))
        let list = try await ask(hub, .get, "/news/tags/a/registrations", token: listen, bytes: nil)
        #expect(list.status == 403)
        let body = Self.body(tags: "World,UserName:mara")
        let refused = try await ask(hub, .post, "/news/registrations", token: listen, bytes: body)
        #expect(refused.status == 403)
        #expect(
            refused.body.contains("Tags: 'UserName:mara' is a protected tag"),
            "\(refused.body)"
        )
        let full = CoreHub.token("https://hub.example.net/")
        let granted = try await ask(hub, .post, "/news/registrations", token: full, bytes: body)
        #expect(granted.status == 200)
        let path = try #require(granted["Content-Location"]).dropFirst("https://localhost".count)
        let taken = try await ask(
            hub,
            .put,
            String(path),
            token: listen,
            bytes: Self.body()
        )
        #expect(taken.status == 403)
        #expect(taken.body.contains("granted by the backend"), "\(taken.body)")
    }

    @Test("an id that is none can't be put")
    func badID() async throws {
        let hub = try CoreHub()
        let full = CoreHub.token("https://hub.example.net/")
        for id in ["x", "1-2", "1-2-3-4", "1-2-3%20", "%FF", String(repeating: "1", count: 99)] {
            let uri = "/news/registrations/\(id)"
            let reply = try await ask(hub, .put, uri, token: full, bytes: Self.body())
            #expect(reply.status == 400, "\(id)")
            #expect(reply.body.contains("RegistrationId: must be"), "\(reply.body)")
        }
    }

    @Test("pages go through every registration once")
    func pages() async throws {
        let hub = try CoreHub()
        let full = CoreHub.token("https://hub.example.net/")
        for _ in 0..<7 {
            _ = try await ask(hub, .post, "/news/registrations", token: full, bytes: Self.body())
        }
        var found: [String] = []
        var uri: String? = "/news/tags/world/registrations?$top=3"
        while let next = uri, found.count < 20 {
            let page = try await ask(hub, .get, next, token: full, bytes: nil)
            found += page.body.split(separator: "<RegistrationId>").dropFirst()
                .map { String($0.prefix { $0 != "<" }) }
            uri = page["x-ms-continuationtoken"].map {
                "/news/tags/world/registrations?$top=3&ContinuationToken=\($0)"
            }
        }
        #expect(found.count == 7)
        #expect(Set(found).count == 7)
    }

    @Test("what the store refuses is 503 or 507 and never 201")
    func store() async throws {
        let hub = try CoreHub()
        let full = CoreHub.token("https://hub.example.net/")
        for (error, status) in [
            (StoreError.unavailable(reason: "stalled"), 503), (.full, 507), (nil, 201),
        ] as [(StoreError?, Int)] {
            hub.commits(end: CommitResult(changes: error, records: error))
            let body = Array("{}".utf8)
            let sent = try await ask(hub, .post, "/news/messages", token: full, bytes: body)
            #expect(sent.status == status, "\(sent.body)")
            #expect((sent["Location"] == nil) == (error != nil))
            #expect((sent["Retry-After"] == nil) == (error == nil))
            let put = try await ask(
                hub,
                .put,
                "/news/registrations/1-2-3",
                token: full,
                bytes: Self.body()
            )
            #expect(put.status == (error == nil ? 200 : status), "\(put.body)")
        }
    }
}
