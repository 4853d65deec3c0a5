import HubModel
import HubQuestions
import HubRelay
import HubVocabulary
import Testing

@Suite("The condition that a lane tells")
struct RelayConditionTests {
    private static let token = String(repeating: "ab", count: 32)
    private static let path = "/3/device/\(token)"

    private static func condition(_ world: RelayWorld) throws -> RelayCondition {
        try #require(try world.ask(GetRelays()).first).condition
    }

    private static func refusal(_ status: Int, _ word: String) -> RelayAnswer {
        RelayAnswer(status: status, body: Array(#"{"reason":"\#(word)"}"#.utf8))
    }

    @Test("has no word of the service before the first answer, and counts those that come")
    func answers() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        world.pass(seconds: 2)
        #expect(try Self.condition(world) == RelayCondition())
        _ = try world.send("one")
        world.pass(seconds: 3)
        var condition = try Self.condition(world)
        #expect(condition.answers == 1 && condition.credential == .works)
        #expect(condition.oldest == nil && condition.waiting == 0)
        world.answers[Self.path] = Self.refusal(413, "PayloadTooLarge")
        _ = try world.send("two")
        world.pass(seconds: 3)
        condition = try Self.condition(world)
        #expect(condition.answers == 2 && condition.credential == .works)
    }

    @Test("has the time of the oldest notification that waits, until it is answered")
    func oldest() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        _ = try world.register(String(repeating: "cd", count: 32))
        world.failure = .unreachable("no address answers")
        let accepted = world.now.time
        _ = try world.send("one")
        world.pass(seconds: 20)
        _ = try world.send("two")
        world.pass(seconds: 100)
        var condition = try Self.condition(world)
        #expect(condition.oldest == accepted && condition.waiting == 4)
        #expect(condition.answers == 0 && condition.credential == .untried)
        world.failure = nil
        world.pass(seconds: 70)
        condition = try Self.condition(world)
        #expect(condition.oldest == nil && condition.waiting == 0 && condition.answers == 4)
    }

    @Test(
        "calls the credential refused also while a trial runs, until the service judges a request"
    )
    func refused() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        world.answers[Self.path] = Self.refusal(403, "InvalidProviderToken")
        _ = try world.send("one")
        let sentence = "the credential is refused: InvalidCredentials: InvalidProviderToken"
        world.pass(seconds: 5)
        for _ in 0..<640 {
            world.step(milliseconds: 1_000)
            #expect(try Self.condition(world).credential == .refused(sentence))
        }
        #expect(world.paths.count > 2)
        world.answers = [:]
        world.pass(seconds: 310)
        #expect(try Self.condition(world).credential == .works)
    }

    @Test("has the rate of the last seconds")
    func rate() throws {
        let world = try RelayWorld()
        _ = try world.register(Self.token)
        for _ in 0..<30 {
            _ = try world.send("one")
            _ = try world.send("two")
            world.pass(seconds: 1)
        }
        #expect((1.5...2.5).contains(try Self.condition(world).rate))
    }

    @Test("counts on from the answers that another credential had")
    func goesOn() {
        let mark = LaneMark(epoch: 7, scanned: 0)
        var lane = Lane(mark: mark, registrations: 1, seed: 1, answers: 5)
        let end = Timestamp(milliseconds: 9)
        let now = Instant(nanoseconds: 0)
        let condition = lane.condition(certificateEnd: end, now: now)
        #expect(condition.answers == 5 && condition.certificateEnd == end)
    }
}
