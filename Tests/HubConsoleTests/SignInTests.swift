import HubConsole
import HubREST
import HubVocabulary
import Testing

@Suite("Sign-in to the console")
struct SignInTests {
    @Test("a code signs in once, with a cookie that only this host's TLS gets")
    func once() async throws {
        let world = ConsoleWorld()
        let code = try world.code().text
        #expect(code.count == 32)
        let first = try await world.send("POST", "sign-in", form: ["code": code.lowercased()])
        #expect(first.status == 303)
        #expect(first["Location"] == "/$belfry/ui/")
        let cookie = try #require(first["Set-Cookie"])
        #expect(
            cookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=28800"),
            "\(cookie)"
        )
        let second = try await world.send("POST", "sign-in", form: ["code": code])
        #expect(second.status == 403)
        #expect(second["Set-Cookie"] == nil)
        #expect(world.audit.map(\.operation) == ["console.signIn", "console.refusedSignIn"])
        #expect(world.audit.first?.name == "alice")
    }

    @Test("asking for the page has no effect, and the code is in no address")
    func reading() async throws {
        let world = ConsoleWorld()
        let code = try world.code().text
        let page = try await world.get("sign-in?code=\(code)")
        #expect(page.status == 200)
        #expect(page["Set-Cookie"] == nil)
        #expect(!page.body.contains(code))
        let taken = try await world.send("POST", "sign-in", form: ["code": code])
        #expect(taken.status == 303)
    }

    @Test("a code ends after five minutes", arguments: [(299, 303), (300, 403)])
    func expiry(seconds: UInt64, status: Int) async throws {
        let world = ConsoleWorld()
        let code = try world.code().text
        world.hub.pass(seconds: seconds)
        let reply = try await world.send("POST", "sign-in", form: ["code": code])
        #expect(reply.status == status)
    }

    @Test("of one network ten wrong codes count in a minute; a right one is taken all the same")
    func tries() async throws {
        let world = ConsoleWorld()
        for count in 1...11 {
            let reply = try await world.send("POST", "sign-in", form: ["code": "wrong"])
            #expect(reply.status == (count <= 10 ? 403 : 429))
            #expect(reply["Retry-After"] == (count <= 10 ? nil : "60"))
        }
        let code = try world.code().text
        #expect(try await world.send("POST", "sign-in", form: ["code": code]).status == 303)
        world.hub.pass(seconds: 60)
        #expect(try await world.send("POST", "sign-in", form: ["code": code]).status == 403)
    }

    @Test("of all networks sixty wrong codes count in a minute; a right one is taken all the same")
    func triesOfAll() throws {
        let world = ConsoleWorld()
        func isTooMany(_ number: Int) -> Bool {
            let network = DeviceID(high: 0, low: UInt64(number))
            let outcome = world.signIns.signIn(code: "wrong", from: network, relay: nil)
            return if case .tooMany = outcome { true } else { false }
        }
        for number in 1...60 { #expect(!isTooMany(number)) }
        #expect(isTooMany(61))
        let code = try world.code().text
        guard case .signedIn = world.signIns.signIn(code: code, from: nil, relay: nil) else {
            Issue.record("strangers shut out an operator")
            return
        }
        world.hub.pass(seconds: 60)
        #expect(!isTooMany(62))
    }

    @Test("refused tries have a line of the audit for each power of ten in an hour")
    func refusedTries() async throws {
        let world = ConsoleWorld()
        for _ in 1...120 { _ = try await world.send("POST", "sign-in", form: ["code": "wrong"]) }
        world.hub.pass(seconds: 3_600)
        _ = try await world.send("POST", "sign-in", form: ["code": "wrong"])
        let path = "/$belfry/ui/sign-in"
        #expect(world.audit.allSatisfy { $0.operation == "console.refusedSignIn" })
        #expect(
            world.audit.map(\.subject) == [1, 10, 100, 1].map { "\(path) \($0) in this hour" }
        )
    }

    @Test("sixteen codes of a rule wait, a seventeenth is refused, and others are not shut out")
    func codes() throws {
        let world = ConsoleWorld()
        for _ in 1...16 { _ = try world.code() }
        #expect(throws: Refusal.tooMany(what: "codes that wait", limit: 16)) {
            try world.code()
        }
        for rule in ["Root", "Other"] { _ = try world.code(hub: ConsoleHub.news, rule: rule) }
        world.hub.pass(seconds: 300)
        _ = try world.code()
    }

    @Test("a name has at most 64 characters", arguments: [(0, false), (64, true), (65, false)])
    func names(length: Int, isTaken: Bool) throws {
        let world = ConsoleWorld()
        let name = String(repeating: "a", count: length)
        #expect(((try? world.code(name: name)) != nil) == isTaken)
    }

    @Test("a cookie that a browser brings along never becomes a session")
    func fixation() async throws {
        let world = ConsoleWorld()
        let planted = ConsoleWorld.Browser(cookie: String(repeating: "a", count: 64))
        let code = try world.code().text
        let reply = try await world.send("POST", "sign-in", planted, form: ["code": code])
        let cookie = try #require(reply["Set-Cookie"])
        #expect(!cookie.contains(planted.cookie))
        let visit = try await world.get("health", planted)
        #expect(visit.status == 303)
    }

    @Test("a changed cookie opens nothing")
    func changed() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let other = browser.cookie.hasPrefix("0") ? "1" : "0"
        let forged = ConsoleWorld.Browser(cookie: other + browser.cookie.dropFirst())
        #expect(try await world.get("health", forged).status == 303)
        #expect(try await world.get("health", browser).status == 200)
    }

    @Test("a sign-in leads on to the page that was asked for, and to no other host")
    func back() async throws {
        let world = ConsoleWorld()
        let asked = try await world.get("h/news/devices?state=away")
        #expect(asked.status == 303)
        #expect(
            asked["Location"]
                == "/$belfry/ui/sign-in?back=%2F%24belfry%2Fui%2Fh%2Fnews%2Fdevices%3Fstate%3Daway"
        )
        for (back, location) in [
            ("/$belfry/ui/h/news/devices", "/$belfry/ui/h/news/devices"),
            ("https://evil.example/", "/$belfry/ui/"), ("//evil.example", "/$belfry/ui/"),
            ("/$belfry/ui/\r\nX: y", "/$belfry/ui/"),
        ] {
            let code = try world.code().text
            let reply = try await world.send(
                "POST",
                "sign-in",
                form: ["code": code, "back": back]
            )
            #expect(reply["Location"] == location)
        }
    }
}
