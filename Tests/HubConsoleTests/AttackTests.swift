import HubConsole
import HubREST
import HubVocabulary
import Testing

@Suite("Attacks on the console")
struct AttackTests {
    private let path = "h/news/settings"

    @Test(
        "an effect needs a browser's word that a page of this origin asks",
        arguments: [
            ([("Sec-Fetch-Site", "same-origin")], 303),
            ([("Sec-Fetch-Site", "same-site")], 403),
            ([("Sec-Fetch-Site", "cross-site")], 403),
            ([("Sec-Fetch-Site", "none")], 403),
            ([("Sec-Fetch-Site", "cross-site"), ("Origin", "https://localhost")], 403),
            ([("Origin", "https://localhost")], 303),
            ([("Origin", "https://localhost:9443")], 403),
            ([("Origin", "http://localhost")], 403),
            ([("Origin", "https://evil.example")], 403), ([("Origin", "null")], 403), ([], 403),
        ]
    )
    func origin(headers: [(String, String)], status: Int) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let reply = try await world.send(
            "POST",
            path,
            browser,
            fields: [("token", browser.token)],
            headers: headers
        )
        #expect(reply.status == status)
        #expect(world.audit.count == (status == 303 ? 3 : 1))
    }

    @Test(
        "a body that is no form is refused",
        arguments: [
            ("text/plain", 415), ("multipart/form-data; boundary=x", 415), ("", 415),
            ("Application/X-WWW-Form-URLEncoded; charset=utf-8", 303),
        ]
    )
    func contentType(type: String, status: Int) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", type)]
        for (path, field) in [
            (path, ("token", browser.token)), ("sign-in", ("code", try world.code().text)),
        ] {
            let reply = try await world.send(
                "POST",
                path,
                browser,
                fields: [field],
                headers: headers
            )
            #expect(reply.status == status, "\(path)")
        }
    }

    @Test(
        "a method that a page does not take is answered with those that it takes",
        arguments: [
            ("PUT", "sign-in", "GET, HEAD, POST"), ("DELETE", "h/news/settings", "GET, HEAD, POST"),
            ("POST", "h/news/devices", "GET, HEAD"), ("GET", "h/news/purge", "POST"),
            ("OPTIONS", "health", "GET, HEAD"),
        ]
    )
    func methods(method: String, path: String, allowed: String) async throws {
        let world = ConsoleWorld()
        let reply = try await world.send(method, path, try await world.browser())
        #expect(reply.status == 405)
        #expect(reply["Allow"] == allowed)
    }

    @Test("an effect needs the session's own token")
    func token() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let other = try await world.browser(name: "bob")
        for token in ["", "wrong", other.token, browser.cookie] {
            let reply = try await world.send("POST", path, browser, form: ["token": token])
            #expect(reply.status == 403)
        }
        let page = try await world.get(path, browser)
        #expect(page.body.contains("name=\"token\" value=\"\(browser.token)\""))
        #expect(!page.body.contains(browser.cookie))
    }

    @Test("a sign-in from another page is refused too")
    func signInElsewhere() async throws {
        let world = ConsoleWorld()
        let code = try world.code().text
        let reply = try await world.send(
            "POST",
            "sign-in",
            fields: [("code", code)],
            headers: [("Sec-Fetch-Site", "same-site")]
        )
        #expect(reply.status == 403)
        #expect(reply["Set-Cookie"] == nil)
    }

    @Test(
        "by default only this machine's own programs see that there is a console",
        arguments: ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"]
    )
    func proxies(name: String) async throws {
        let world = ConsoleWorld()
        let headers = [(name, "192.0.2.7")]
        let hidden = try await world.send("GET", "sign-in", fields: [], headers: headers)
        #expect(hidden.status == 404 || hidden.status == 401)
        #expect(hidden["Content-Security-Policy"] == nil)
        world.open(to: .on)
        let shown = try await world.send("GET", "sign-in", fields: [], headers: headers)
        #expect(shown.status == 200)
    }

    @Test("a relay brings the way in that its code came with")
    func relay() async throws {
        let world = ConsoleWorld()
        let relay = try #require(try world.code(hours: 1).relay)
        for (token, status) in [(relay, 200), (String(relay.reversed()), 404)] {
            let headers = [("Belfry-Relay", token), ("Via", "1.1 elsewhere")]
            let reply = try await world.send("GET", "sign-in", fields: [], headers: headers)
            #expect((reply.status == 200) == (status == 200))
        }
        world.hub.pass(seconds: 3_600)
        let headers = [("Belfry-Relay", relay)]
        let late = try await world.send("GET", "sign-in", fields: [], headers: headers)
        #expect(late.status != 200)
    }

    @Test("a cookie of a relay opens nothing without one, and another none through one")
    func relayedCookie() async throws {
        let world = ConsoleWorld()
        world.open(to: .on)
        let relay = [("Belfry-Relay", try #require(try world.code(hours: 1).relay))]
        let code = try world.code().text
        let site = [("Sec-Fetch-Site", "same-origin")]
        let reply = try await world.send(
            "POST",
            "sign-in",
            form: ["code": code],
            headers: relay + site
        )
        let cookie = try #require(reply["Set-Cookie"]).dropFirst("__Host-belfry=".count)
        let relayed = ConsoleWorld.Browser(cookie: String(cookie.prefix(64)))
        let direct = try await world.browser()
        for (browser, headers, status) in [
            (relayed, relay, 200), (relayed, [], 303), (direct, [], 200), (direct, relay, 303),
            (relayed, [("Belfry-Relay", "made up")], 303),
        ] {
            let page = try await world.send("GET", "health", browser, fields: [], headers: headers)
            #expect(page.status == status)
        }
        // The relay goes on where the hub was started again, and no other one does.
        let next = ConsoleWorld(kept: world.keptSessions)
        next.open(to: .on)
        for (headers, status) in [(relay, 200), ([("Belfry-Relay", "made up")], 303), ([], 303)] {
            let page = try await next.send("GET", "health", relayed, fields: [], headers: headers)
            #expect(page.status == status)
        }
    }

    @Test("64 ways in for relays of a rule are open; one more closes its oldest")
    func relays() async throws {
        let world = ConsoleWorld()
        let other = try #require(try world.code(hub: ConsoleHub.news, hours: 1).relay)
        var tokens: [String] = []
        for number in 0...64 {
            if number % 16 == 0 { world.hub.pass(seconds: 300) }
            tokens.append(try #require(try world.code(hours: 12).relay))
            world.hub.pass(seconds: 1)
        }
        for (token, isOpen) in [
            (other, true), (tokens[0], false), (tokens[1], true), (tokens[64], true),
        ] {
            let headers = [("Belfry-Relay", token)]
            let reply = try await world.send("GET", "sign-in", fields: [], headers: headers)
            #expect((reply.status == 200) == isOpen)
        }
    }

    @Test("switched off, there is no console")
    func off() async throws {
        let world = ConsoleWorld()
        world.open(to: .off)
        #expect(try await world.get("sign-in")["Content-Security-Policy"] == nil)
        let root = try await world.send(
            "GET",
            "/",
            fields: [],
            headers: [("Accept", "text/html")]
        )
        #expect(root.status == 401)
    }

    @Test("a browser that asks for the server is led to the console, a client is not")
    func frontDoor() async throws {
        let world = ConsoleWorld()
        for (accept, status) in [("text/html,*/*;q=0.8", 303), ("*/*", 401), ("", 401)] {
            let reply = try await world.send(
                "GET",
                "/",
                fields: [],
                headers: [("Accept", accept)]
            )
            #expect(reply.status == status, "\(accept)")
        }
    }

    @Test("a name that the server does not have is refused")
    func names() async throws {
        let world = ConsoleWorld()
        world.name(["push.example.net"])
        #expect(try await world.get("sign-in").status == 421)
    }

    @Test("a form has at most 64 fields and 128 KB")
    func sizes() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        for (count, isTaken) in [(64, true), (65, false)] {
            var fields = [("token", browser.token)]
            for number in 2...count { fields.append(("f\(number)", "1")) }
            let reply = try await world.send("POST", path, browser, fields: fields)
            #expect((reply.status == 303) == isTaken, "\(count)")
        }
        let rest = "token=\(browser.token)&f=".utf8.count
        for (bytes, status) in [(131_072, 303), (131_073, 413)] {
            let reply = try await world.send(
                "POST",
                path,
                browser,
                fields: [
                    ("token", browser.token), ("f", String(repeating: "a", count: bytes - rest)),
                ]
            )
            #expect(reply.status == status)
        }
    }

    @Test("what cannot be noted in the audit is not done")
    func audit() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        try await world.confirm(browser)
        world.breakAudit()
        let form: KeyValuePairs = ["rule": "DefaultSendSharedAccessSignature", "key": "primary"]
        for path in ["h/news/access/renew", "h/news/access/copy"] {
            let reply = try await world.post(path, browser, form)
            #expect(reply.status == 503)
            #expect(!reply.body.contains("key-"))
        }
        let code = try world.code().text
        let signIn = try await world.send("POST", "sign-in", form: ["code": code])
        #expect(signIn.status == 503)
        #expect(signIn["Set-Cookie"] == nil)
    }

    @Test("a key is in no page, and is copied only behind a confirmation")
    func keys() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let form: KeyValuePairs = ["rule": "DefaultSendSharedAccessSignature", "key": "primary"]
        let early = try await world.post("h/news/access/copy", browser, form)
        #expect(early.status == 403)
        try await world.confirm(browser)
        let page = try await world.get("h/news/access", browser)
        #expect(page.status == 200)
        #expect(!page.body.contains("key-"))
        let copied = try await world.post("h/news/access/copy", browser, form)
        #expect(copied["Content-Type"] == "text/plain; charset=utf-8")
        #expect(copied["Cache-Control"] == "no-store")
        #expect(
            copied.body
                == "Endpoint=sb://hub.example.net:8443/;"
                + "SharedAccessKeyName=DefaultSendSharedAccessSignature;"
                + "SharedAccessKey=key-5;EntityPath=news"
        )
        #expect(world.audit.map(\.operation).suffix(1) == ["console.copyConnectionString"])
    }
}
