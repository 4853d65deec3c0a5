import HubAtom
import HubConsole
import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubRules
import HubVocabulary
import Testing

@Suite("Pages and roles")
struct PageMatrixTests {
    private static let device = "00010203040506070000000000000000"

    /// An address of a row, in the hub `news`.
    private static func path(
        _ row: PageRow,
        id: String = "0193a5c2d7e37b5a917d5c0a9be83f10"
    ) -> String {
        row.path.description.split(separator: "/").map { part in
            switch part {
            case "{hub}": "news"
            case "{device}": device
            case "{id}": id
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

    private static let ui = "/$belfry/ui/"
    private static let hub = "/$belfry/ui/h/news/"
    private static let send = [
        ("format", "apple"), ("tags", "World"), ("body", "{}"),
    ]
    private static let later = send + [("time", "2026-05-05T18:30:00")]
    private static let key = [("rule", "DefaultSendSharedAccessSignature"), ("key", "primary")]
    private static let root = [("rule", "RootManageSharedAccessKey"), ("key", "secondary")]

    /// The fields of forms, by the name of their row.
    private static let forms: [String: [(String, String)]] = [
        "makeHub": [("name", "fresh")], "deleteHub": [("name", "news")], "previewSend": send,
        "askSend": send, "askSchedule": later, "sendAll": send, "testSend": send, "schedule": later,
        "changeSettings": [("deviceCap", "500")], "purge": [("through", "1")], "renewKey": key,
        "copyKey": key, "addRule": [("rule", "Backend"), ("rights", "send")],
        "removeRule": [("removed", "DefaultSendSharedAccessSignature")],
        "changeTags": [("tags", "World, Sports"), ("version", "1")],
        "renewNamespaceKey": root, "copyNamespaceKey": root,
    ]

    /// Where effects lead, by the name of their row.
    private static let locations = [
        "makeHub": "\(ui)h/fresh/access", "revoke": "\(hub)devices/\(device)",
        "deleteRegistration": "\(hub)registrations", "sendAll": "\(hub)notifications/\(sentName)",
        "testSend": "\(hub)tests/\(sentName)", "schedule": "\(hub)schedules",
        "cancelSchedule": "\(hub)schedules", "changeSettings": "\(hub)settings",
        "purge": "\(hub)settings", "deleteHub": ui, "renewKey": "\(hub)access", "confirmed": ui,
        "signOut": "\(ui)sign-in", "addRule": "\(hub)access", "removeRule": "\(hub)access",
        "renewNamespaceKey": "\(ui)access",
    ]

    /// The notification that sends are answered with.
    private static let sent = NotificationID(
        high: 0x019D_F1C0_D7E3_7B5A,
        low: 0x917D_5C0A_9BE8_3F10
    )
    private static let sentName = NotificationAddress.text(sent, 7)

    /// Puts a row's subject into the hub and returns its address.
    private static func subject(_ row: PageRow, _ world: ConsoleWorld) async throws -> String {
        let registration = try await world.register()
        switch row.name {
        case "device", "revoke":
            let found = GetDevice.Reply(device: ConsoleWorld.device(0), registrations: [])
            world.hub.answer(GetDevice.self, found)
            let handle = world.hub.handle(of: found.device.cursor.device)
            try await world.register(handle: String(decoding: handle, as: UTF8.self))
        case "installation":
            let found = Installation(
                number: InstallationNumber(1),
                id: Array("one".utf8),
                platform: .apple,
                text: []
            )
            world.hub.answer(
                GetInstallation.self,
                GetInstallation.Reply(installation: found, channelExpired: false)
            )
        case "registration", "deleteRegistration", "changeTags":
            return path(row, id: registration)
        case "job":
            var random = SystemRandomNumberGenerator()
            let job = BulkJob(
                id: JobID.make(now: ConsoleHub.start, random: &random),
                request: JobRequest(kind: .importCreate, output: "a", input: nil, rule: "Full"),
                created: ConsoleHub.start
            )
            world.hub.answer(GetJob.self, job)
            return path(row, id: job.id.text)
        case "notification", "failures", "payload", "testOutcome":
            let id = try await world.send(tags: "World", body: "{}")
            return "\(path(row, id: id))?r=\(registration)"
        case "explain":
            let id = try await world.send(tags: "World", body: "{}")
            return "\(path(row))?notification=\(id)&subject=\(registration)"
        case "cancelSchedule": return path(row, id: try await world.schedule())
        case "sendAll":
            world.hub.answer(Send.self, Send.Reply(id: sent, sequence: 7))
        case "testSend":
            let name = NotificationName(id: sent, sequence: 7)
            world.hub.answer(TestSend.self, TestOutcome(notification: name, results: []))
        default: break
        }
        return path(row)
    }

    /// Asks for what a row is about.
    private static func visit(
        _ row: PageRow,
        _ world: ConsoleWorld,
        _ browser: ConsoleWorld.Browser
    ) async throws -> ConsoleWorld.Reply {
        let path = try await subject(row, world)
        guard row.method == "POST" else { return try await world.get(path, browser) }
        let digits = row.name == "confirmed" ? [("digits", try world.digits())] : []
        let fields = (forms[row.name] ?? digits) + [("token", browser.token)]
        return try await world.send("POST", path, browser, fields: fields)
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
        for row in PageTable.rows {
            let world = ConsoleWorld()
            let browser = try await world.browser(role)
            try await world.confirm(browser)
            let before = world.audit.count
            let reply = try await Self.visit(row, world, browser)
            let words = world.audit.dropFirst(before).map(\.operation)
            if row.role > role {
                #expect(reply.status == 403, "\(row.name) for \(role)")
                #expect(words.isEmpty, "\(row.name) for \(role)")
            } else {
                var location = Self.locations[row.name]
                // Back to the registration, whose id is made by lot.
                if row.name == "changeTags" { location = reply["Location"] }
                #expect(reply.status == (location == nil ? 200 : 303), "\(row.name): \(reply.body)")
                #expect(reply["Location"] == location, "\(row.name)")
                // Before it, and with its result.
                #expect(words == (row.audit.map { [$0, $0] } ?? []), "\(row.name)")
                #expect(world.audit.last?.result == .done)
            }
        }
    }

    @Test("what destroys is refused without a confirmation")
    func unconfirmed() async throws {
        for row in PageTable.rows where row.needsConfirmation {
            let world = ConsoleWorld()
            let browser = try await world.browser()
            let before = world.audit.count
            let reply = try await Self.visit(row, world, browser)
            #expect(reply.status == 403, "\(row.name)")
            #expect(world.audit.count == before, "\(row.name)")
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
        for path in ["audit", "server", "access"] {
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
    private static let ownParts = [
        "hubs shows describeHubs", "overview shows describeHubs", "overview shows history",
        "health shows describeHubs", "health shows describeCluster",
    ]

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

    @Test("keys that open every hub are copied and made anew behind a confirmation, by managers")
    func keysOfAll() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let before = try await world.get("access", browser).body
        #expect(before.contains("RootManageSharedAccessKey") && before.contains("Confirm first"))
        #expect(!before.contains("Make anew") && !before.contains("key-root"))
        let form: KeyValuePairs = ["rule": "RootManageSharedAccessKey", "key": "secondary"]
        #expect(try await world.post("access/renew", browser, form).status == 403)
        #expect(world.hub.namespaceRules[0].rule.secondaryKey == "key-root")
        try await world.confirm(browser)
        #expect(try await world.post("access/renew", browser, form).status == 303)
        let made = world.hub.namespaceRules[0].rule
        #expect(made.primaryKey == "key-root" && made.secondaryKey == "key-anew")
        let copied = try await world.post("access/copy", browser, form)
        #expect(copied["Content-Type"]?.hasPrefix("text/plain") == true)
        #expect(copied.body.hasSuffix("SharedAccessKey=key-anew"), "\(copied.body)")
        #expect(world.audit.last?.operation == "console.copyNamespaceString")
        let other: KeyValuePairs = ["rule": "DefaultSendSharedAccessSignature", "key": "primary"]
        let wrong = try await world.post("access/renew", browser, other)
        #expect(wrong.status == 400 && wrong.body.contains("no access rule of the namespace"))
        let server = try await world.get("server", browser).body
        #expect(server.contains("href=\"/$belfry/ui/access\""))
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
        // A file is no page.
        for row in PageTable.rows where row.method == "GET" && row.name != "eventFile" {
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
