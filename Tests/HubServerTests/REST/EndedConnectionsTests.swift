@testable import HubServer
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@Suite("REST connections that ended")
struct EndedConnectionsTests {
    /// When memory was given back, and whether it may be.
    private final class Given: Sendable {
        let times = Mutex<[UInt64]>([])
        let mayGive = Mutex(true)

        func give(_ nanoseconds: UInt64) -> Bool {
            guard mayGive.withLock({ $0 }) else { return false }
            times.withLock { $0.append(nanoseconds / 1_000_000_000) }
            return true
        }
    }

    @Test("have memory given back two seconds after the eighth, once for all of them")
    func eight() {
        let loop = EmbeddedEventLoop()
        let given = Given()
        let ended = EndedConnections { given.give($0) }
        for _ in 0..<7 { ended.add(on: loop) }
        loop.advanceTime(by: .seconds(60))
        #expect(given.times.withLock { $0 } == [])
        for _ in 0..<9 { ended.add(on: loop) }
        loop.advanceTime(by: .seconds(1))
        #expect(given.times.withLock { $0 } == [])
        loop.advanceTime(by: .seconds(60))
        #expect(given.times.withLock { $0 } == [62])
    }

    @Test("are tried again when it is too soon, and those that end meanwhile count")
    func tooSoon() {
        let loop = EmbeddedEventLoop()
        let given = Given()
        given.mayGive.withLock { $0 = false }
        let ended = EndedConnections { given.give($0) }
        for _ in 0..<8 { ended.add(on: loop) }
        loop.advanceTime(by: .seconds(5))
        #expect(given.times.withLock { $0 } == [])
        given.mayGive.withLock { $0 = true }
        loop.advanceTime(by: .seconds(7))
        #expect(given.times.withLock { $0 } == [12])
        for _ in 0..<8 { ended.add(on: loop) }
        loop.advanceTime(by: .seconds(2))
        #expect(given.times.withLock { $0 } == [12, 14])
    }
}
