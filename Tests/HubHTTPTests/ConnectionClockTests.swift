import HubHTTP
import NIOCore
import Testing

@Suite("When an HTTP connection ends")
struct ConnectionClockTests {
    private static func at(_ seconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .seconds(seconds)
    }

    /// Times as a listener with requests of one piece has them.
    private static let plain = ConnectionTimes(
        opening: .seconds(10),
        silence: .seconds(60),
        request: .seconds(200),
        unread: .seconds(30)
    )

    /// Times as a listener has them that ends with its process.
    private static var strict: ConnectionTimes {
        var times = plain
        times.opensWithHandshake = true
        times.pause = .seconds(120)
        times.closing = .seconds(3)
        return times
    }

    private static func clock(_ times: ConnectionTimes) -> ConnectionClock {
        ConnectionClock(times, openedAt: at(0))
    }

    @Test("a connection that never begins has the time of its opening, with or without TLS")
    func opening() {
        var plain = Self.clock(Self.plain)
        #expect(plain.deadline == Self.at(10))
        plain.secured(at: Self.at(4))
        #expect(plain.deadline == Self.at(10))
        var strict = Self.clock(Self.strict)
        #expect(strict.deadline == Self.at(10))
        strict.secured(at: Self.at(4))
        #expect(strict.deadline == Self.at(64))
    }

    @Test("bytes begin a request, more of them do not prolong it, and an answer ends it")
    func request() {
        var clock = Self.clock(Self.plain)
        clock.heard(at: Self.at(5))
        #expect(clock.deadline == Self.at(205))
        clock.heard(at: Self.at(100))
        #expect(clock.deadline == Self.at(205))
        clock.answered(at: Self.at(150))
        #expect(clock.deadline == Self.at(210))
        clock.heard(at: Self.at(200))
        #expect(clock.deadline == Self.at(400))
    }

    @Test("where a pause has a limit, a peer that falls silent in its request has that alone")
    func pause() {
        var clock = Self.clock(Self.strict)
        clock.heard(at: Self.at(5))
        #expect(clock.deadline == Self.at(125))
        clock.heard(at: Self.at(60))
        #expect(clock.deadline == Self.at(180))
        clock.heard(at: Self.at(190))
        #expect(clock.deadline == Self.at(205))
    }

    @Test("an answer may lie unread for its time; each piece that is taken begins the time anew")
    func unread() {
        var clock = Self.clock(Self.plain)
        clock.heard(at: Self.at(1))
        clock.answered(at: Self.at(2))
        clock.setBlocked(true, at: Self.at(2))
        #expect(clock.deadline == Self.at(32))
        clock.setBlocked(true, at: Self.at(20))
        #expect(clock.deadline == Self.at(32))
        clock.setBlocked(false, at: Self.at(25))
        clock.answered(at: Self.at(25))
        clock.setBlocked(true, at: Self.at(25))
        #expect(clock.deadline == Self.at(55))
        clock.setBlocked(false, at: Self.at(50))
        #expect(clock.deadline == Self.at(85))
    }

    @Test("after a refusal the rest of the body has two seconds, however much still comes")
    func leaves() {
        var clock = Self.clock(Self.plain)
        clock.heard(at: Self.at(1))
        clock.leave(at: Self.at(2))
        clock.answered(at: Self.at(2))
        clock.heard(at: Self.at(3))
        clock.leave(at: Self.at(3))
        #expect(clock.deadline == Self.at(4))
    }

    @Test("a server that stops ends what never began at once and the rest in its time")
    func quiesces() {
        var began = Self.clock(Self.strict)
        began.secured(at: Self.at(1))
        began.quiesce(at: Self.at(2))
        began.heard(at: Self.at(3))
        began.quiesce(at: Self.at(4))
        #expect(began.deadline == Self.at(5))
        var never = Self.clock(Self.strict)
        never.quiesce(at: Self.at(2))
        #expect(never.deadline == Self.at(2))
        var plain = Self.clock(Self.plain)
        plain.quiesce(at: Self.at(2))
        #expect(plain.deadline == Self.at(10))
    }
}
