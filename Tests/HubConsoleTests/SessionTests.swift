@testable import HubConsole
import HubREST
import HubVocabulary
import Testing

@Suite("Sessions of the console")
struct SessionTests {
    @Test(
        "a session that may change something ends after half an hour without a request",
        arguments: [
            (ConsoleRole.manager, 1_799, 200), (.manager, 1_800, 303), (.sender, 1_800, 303),
            (.viewer, 7 * 3_600, 200),
        ]
    )
    func idle(role: ConsoleRole, seconds: UInt64, status: Int) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(role)
        world.hub.pass(seconds: seconds)
        #expect(try await world.get("health", browser).status == status)
    }

    @Test("polls of live texts keep no session from becoming idle")
    func polls() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        for path in ["health", "health?live=1"] {
            world.hub.pass(seconds: 1_000)
            #expect(try await world.get(path, browser).status == 200)
        }
        world.hub.pass(seconds: 800)
        #expect(try await world.get("health", browser).status == 303)
    }

    @Test("a session ends after its hours, whatever it does")
    func hours() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser(.viewer)
        world.hub.pass(seconds: 8 * 3_600 - 1)
        #expect(try await world.get("health", browser).status == 200)
        world.hub.pass(seconds: 1)
        #expect(try await world.get("health", browser).status == 303)
        #expect(world.keptSessions.isEmpty)
    }

    @Test("a session ends with the keys of its rule")
    func keys() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        world.changeKeys()
        #expect(try await world.get("health", browser).status == 303)
    }

    @Test("a session ends with its rule's right to manage", arguments: [[AccessRight.send], []])
    func rights(left: [AccessRight]) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        world.changeRights([.manage, .send])
        #expect(try await world.get("health", browser).status == 200)
        world.changeRights(left)
        #expect(try await world.get("health", browser).status == 303)
        #expect(throws: Refusal.missingRight(.manage)) { try world.code() }
    }

    @Test("a code ends with the keys of its rule, and with its right", arguments: [true, false])
    func codes(keepsKeys: Bool) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let (code, digits) = (try world.code().text, try world.digits())
        if keepsKeys { world.changeRights([.send]) } else { world.changeKeys() }
        #expect(try await world.send("POST", "sign-in", form: ["code": code]).status == 403)
        if keepsKeys { return }
        let next = try await world.browser()
        let reply = try await world.post("confirm", next, ["digits": digits])
        #expect(reply.body.contains("more wrong ones"))
        #expect(try await world.get("health", browser).status == 303)
    }

    @Test("sign-out ends the session, in the browser and in the hub")
    func signOut() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let reply = try await world.post("sign-out", browser)
        #expect(reply.status == 303)
        #expect(reply["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(try await world.get("health", browser).status == 303)
        #expect(try await world.get("health?live=1", browser).status == 401)
    }

    @Test("a session outlives a restart, and one that was ended does not")
    func restart() async throws {
        let world = ConsoleWorld()
        let (stays, goes) = (try await world.browser(), try await world.browser(name: "bob"))
        _ = try await world.post("sign-out", goes)
        #expect(world.keptSessions.map(\.name) == ["alice"])
        #expect(!world.keptSessions.map(\.digest).contains(stays.cookie))
        let next = ConsoleWorld(kept: world.keptSessions)
        #expect(try await next.get("health", stays).status == 200)
        #expect(try await next.get("health", goes).status == 303)
    }

    @Test("of one name eight sessions are open, of a rule 64; the one idle longest gives way")
    func limits() async throws {
        var limits = ConsoleLimits()
        limits.triesPerMinute = 1_000
        limits.triesPerMinuteOfAll = 1_000
        let world = ConsoleWorld(limits: limits)
        let first = try await world.browser()
        for _ in 2...8 { _ = try await world.browser() }
        #expect(try await world.get("health", first).status == 200)
        world.hub.pass(seconds: 1)
        _ = try await world.get("health", first)
        _ = try await world.browser()
        #expect(world.keptSessions.count == 8)
        #expect(try await world.get("health", first).status == 200)
        for number in 1...60 { _ = try await world.browser(name: "user \(number)") }
        #expect(world.keptSessions.count == 64)
        #expect(try await world.get("health", first).status == 200)
        for rule in ["Root", "Other"] {
            let hub = ConsoleHub.news
            for number in 1...65 {
                _ = try await world.browser(hub: hub, name: "user \(number)", rule: rule)
            }
        }
        #expect(world.keptSessions.count(where: { $0.hub == nil }) == 64)
        #expect(world.keptSessions.count == 3 * 64)
        #expect(try await world.get("health", first).status == 200)
    }

    @Test("a session makes at most 50 requests in a second")
    func rate() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        for _ in 1...50 { #expect(try await world.get("health", browser).status == 200) }
        #expect(try await world.get("health", browser).status == 429)
        world.hub.pass(seconds: 1)
        #expect(try await world.get("health", browser).status == 200)
    }

    @Test("a session has at most eight requests without an answer")
    func openRequests() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        func visit() -> ConsoleSession? {
            let visit = world.signIns.visit(cookie: browser.cookie, isRelayed: false, isPoll: false)
            return if case .open(let session, _) = visit { session } else { nil }
        }
        let visits = (1...9).map { _ in visit() }
        #expect(visits.map { $0 == nil } == Array(repeating: false, count: 8) + [true])
        world.signIns.leave(try #require(visits[0]))
        #expect(visit() != nil && visit() == nil)
    }

    @Test("a form that comes when its session has ended changes nothing", arguments: [true, false])
    func lateForms(hasEnded: Bool) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let status = try await world.post("sign-out", browser) {
            if hasEnded { world.changeKeys() }
        }
        #expect(status == (hasEnded ? 401 : 303))
        #expect(world.audit.contains { $0.operation == "console.signOut" } == !hasEnded)
    }

    @Test("a confirmation counts for ten minutes", arguments: [(599, 303), (600, 403)])
    func confirmation(seconds: UInt64, status: Int) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        try await world.confirm(browser)
        world.hub.pass(seconds: seconds)
        let reply = try await world.post("h/news/purge", browser, ["through": "1"])
        #expect(reply.status == status)
    }

    @Test("digits work for two minutes", arguments: [(119, 303), (120, 403)])
    func digits(seconds: UInt64, status: Int) async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        let digits = try world.digits()
        #expect(digits.count == 9)
        world.hub.pass(seconds: seconds)
        #expect(try await world.post("confirm", browser, ["digits": digits]).status == status)
    }

    @Test("five wrong confirmations end the session")
    func wrong() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        for left in (1...4).reversed() {
            let reply = try await world.post("confirm", browser, ["digits": "000"])
            #expect(reply.body.contains("\(left) more wrong ones"))
        }
        let last = try await world.post("confirm", browser, ["digits": "000"])
        #expect(last.status == 303)
        #expect(last["Location"] == "/$belfry/ui/sign-in")
        #expect(try await world.get("health", browser).status == 303)
    }

    @Test("digits of one hub confirm no session of the server, and a code no confirmation")
    func confined() async throws {
        let world = ConsoleWorld()
        let browser = try await world.browser()
        for digits in [try world.digits(hub: ConsoleHub.news), try world.code().text] {
            let reply = try await world.post("confirm", browser, ["digits": digits])
            #expect(reply.body.contains("more wrong ones"))
        }
        let ofHub = try await world.browser(hub: ConsoleHub.news, name: "bob")
        try await world.confirm(ofHub, hub: ConsoleHub.news)
    }
}
