import HubConsole
import HubREST
import HubVocabulary
import Testing

@Suite("Pages and roles")
struct PageMatrixTests {
    /// An address of a row, in the hub `news`.
    private static func path(_ row: PageRow) -> String {
        row.path.description.split(separator: "/").map { part in
            switch part {
            case "{hub}": "news"
            case "{device}": "000102030405060708090a0b0c0d0e0f"
            case "{id}": "0193a5c2d7e37b5a917d5c0a9be83f10"
            default: String(part)
            }
        }.map { "/" + $0 }.joined() + (row.path.description == "/$belfry/ui" ? "/" : "")
    }

    private static func ask(
        _ row: PageRow,
        _ world: ConsoleWorld,
        _ browser: ConsoleWorld.Browser
    ) async throws -> ConsoleWorld.Reply {
        row.method == "POST"
            ? try await world.post(path(row), browser) : try await world.get(path(row), browser)
    }

    @Test("names are unique, and each row shows rows of the REST API")
    func names() {
        let names = PageTable.rows.map { "\($0.method) \($0.name)" }
        #expect(Set(names).count == names.count)
        let known = Set(RouteTable.rows.map(\.name))
        for row in PageTable.rows {
            #expect(Set(row.shows).isSubset(of: known), "\(row.name) shows \(row.shows)")
        }
    }

    @Test(
        "each page is there for its role, and refused to the one below",
        arguments: ConsoleRole.allCases
    )
    func roles(role: ConsoleRole) async throws {
        for row in PageTable.rows where row.name != "signOut" && row.name != "confirmed" {
            let world = ConsoleWorld()
            let browser = try await world.browser(role)
            let before = world.audit.count
            let reply = try await Self.ask(row, world, browser)
            if row.role > role || row.needsConfirmation {
                #expect(reply.status == 403, "\(row.name) for \(role)")
                #expect(world.audit.count == before, "\(row.name) for \(role)")
            } else {
                #expect(
                    [200, 303, 400, 404].contains(reply.status),
                    "\(row.name): \(reply.status)"
                )
                let words = world.audit.dropFirst(before).map(\.operation)
                // Before it, and with its result.
                #expect(words == (row.audit.map { [$0, $0] } ?? []), "\(row.name)")
            }
        }
    }

    @Test("without a session, pages lead to the sign-in and effects are refused")
    func signedOut() async throws {
        let world = ConsoleWorld()
        for row in PageTable.rows {
            let reply = try await world.send(row.method, Self.path(row))
            #expect(reply.status == (row.method == "POST" ? 401 : 303), "\(row.name)")
        }
        #expect(world.audit.isEmpty)
    }

    @Test("a session of one hub sees nothing of another, nor of the server")
    func reach() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(hub: ConsoleHub.news)
        for row in PageTable.rows where row.path.description.contains("{hub}") {
            let path = Self.path(row).replacing("/h/news", with: "/h/other")
            let reply =
                row.method == "POST"
                ? try await world.post(path, browser) : try await world.get(path, browser)
            #expect(row.reach == .server ? reply.status == 403 : reply.status == 404, "\(row.name)")
        }
        for path in ["audit", "server"] {
            #expect(try await world.get(path, browser).status == 403)
        }
        let root = try await world.get("/$belfry/ui/", browser)
        #expect(root["Location"] == "/$belfry/ui/h/news/")
        let find = try await world.get("find?q=World&hub=other", browser)
        #expect(!find.body.contains("of other"))
    }

    @Test(
        "a hub that is not there is told before anything is noted or done",
        arguments: [
            "nowhere", "%20", "%00", ".", "..", "a%2Fb", "%FF", String(repeating: "a", count: 99),
        ]
    )
    func noHub(name: String) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        try await world.confirm(browser)
        let before = world.audit.count
        for row in PageTable.rows where row.path.description.contains("{hub}") {
            let path = Self.path(row).replacing("/h/news", with: "/h/\(name)")
            let reply =
                row.method == "POST"
                ? try await world.post(path, browser) : try await world.get(path, browser)
            #expect(reply.status == 404, "\(row.name)")
        }
        #expect(world.audit.count == before)
    }

    /// Pages that show a session of one hub no more than that hub's part of a list.
    private static let ownParts = ["hubs shows describeHubs", "overview shows describeHubs"]

    @Test("no page is more open than the rows of the REST API that it stands for")
    func openness() throws {
        for row in PageTable.rows {
            for name in row.shows {
                let rest = try #require(RouteTable.rows.first { $0.name == name })
                let shown = "\(row.name) shows \(name)"
                if rest.isOfNamespace, !Self.ownParts.contains(shown) {
                    #expect(row.reach == .server, "\(shown)")
                }
                // What a role reads, the hub reads for it; effects need the right itself.
                guard row.audit != nil else { continue }
                switch rest.right {
                case .manage: #expect(row.role == .manager, "\(shown)")
                case .send: #expect(row.role >= .sender, "\(shown)")
                case .listen, nil: break
                }
            }
        }
    }

    @Test("with the key of one hub, keys are copied and not made anew")
    func keysOfOneHub() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(hub: ConsoleHub.news)
        try await world.confirm(browser, hub: ConsoleHub.news)
        let page = try await world.get("h/news/access", browser).body
        #expect(page.contains("Copy connection string") && !page.contains("Make anew"))
        let form: KeyValuePairs = ["rule": "DefaultSendSharedAccessSignature", "key": "primary"]
        #expect(try await world.post("h/news/access/renew", browser, form).status == 403)
        #expect(try await world.post("h/news/access/copy", browser, form).status == 200)
        let server = try await world.browser(name: "bob")
        try await world.confirm(server)
        #expect(try await world.get("h/news/access", server).body.contains("Make anew"))
        #expect(try await world.post("h/news/access/renew", server, form).status == 303)
    }

    @Test("every answer has the headers that keep other pages away")
    func headers() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        var replies = [try await world.get("sign-in"), try await world.get("nowhere", browser)]
        for row in PageTable.rows {
            replies.append(try await Self.ask(row, world, browser))
            world.hub.pass(seconds: 1)
        }
        for reply in replies {
            let policy = try #require(reply["Content-Security-Policy"])
            for part in [
                "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                "base-uri 'none'", "form-action 'self'", "require-trusted-types-for 'script'",
                "trusted-types 'none'",
            ] { #expect(policy.contains(part)) }
            #expect(!policy.contains("unsafe"))
            #expect(reply["X-Frame-Options"] == "DENY")
            #expect(reply["X-Content-Type-Options"] == "nosniff")
            #expect(reply["Referrer-Policy"] == "same-origin")
            #expect(reply["Cross-Origin-Opener-Policy"] == "same-origin")
            #expect(reply["Cache-Control"] == "no-store")
            #expect(reply["TrackingId"] != nil)
            #expect(reply["Strict-Transport-Security"] == nil)
        }
    }

    @Test("no page has a style or a script of its own, or names another host")
    func inline() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        for row in PageTable.rows where row.method == "GET" {
            let page = try await world.get(Self.path(row), browser).body
            #expect(!page.contains("<style") && !page.contains(" style="), "\(row.name)")
            #expect(!page.contains("javascript:") && !page.contains(#/ on[a-z]+=/#), "\(row.name)")
            #expect(!page.contains("https://") && !page.contains("http://"), "\(row.name)")
            #expect(
                page.split(separator: "<script", omittingEmptySubsequences: false).count == 2,
                "\(row.name)"
            )
            world.hub.pass(seconds: 1)
        }
    }
}
