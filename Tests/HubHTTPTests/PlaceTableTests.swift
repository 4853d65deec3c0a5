import HubHTTP
import NIOCore
import Testing

@Suite("Places of connections")
struct PlaceTableTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func table(_ connections: Int, blocked: Int = 10) -> PlaceTable<Int> {
        var limits = PlaceTable<Int>.Limits(connections: connections)
        limits.blocked = blocked
        return PlaceTable(limits)
    }

    @Test("go from the connection that has made no progress for the longest time")
    func leastProgress() {
        var table = table(2)
        #expect(table.enter(1, at: start) == nil)
        #expect(table.enter(2, at: start + .seconds(1)) == nil)
        table.progressed(1, at: start + .seconds(2))
        #expect(table.enter(3, at: start + .seconds(7)) == 2)
        #expect(table.count == 2)
        #expect(table.enter(4, at: start + .seconds(8)) == 1)
    }

    @Test("stay with connections that made progress a moment ago")
    func grace() {
        var table = table(1)
        #expect(table.enter(1, at: start) == nil)
        #expect(table.enter(2, at: start + .milliseconds(4_999)) == nil)
        #expect(table.count == 2)
        #expect(table.enter(3, at: start + .seconds(5)) == 1)
    }

    @Test("are lost by the peer that has left its answers for the longest time")
    func blocked() {
        var table = table(10, blocked: 1)
        for id in 1...3 { _ = table.enter(id, at: start) }
        #expect(table.setBlocked(1, true, at: start) == nil)
        #expect(table.setBlocked(1, true, at: start) == nil, "it is blocked already")
        #expect(table.setBlocked(2, true, at: start + .seconds(1)) == 1)
        #expect(table.setBlocked(2, false, at: start + .seconds(2)) == nil)
        #expect(table.setBlocked(3, true, at: start + .seconds(3)) == nil)
        table.leave(3)
        #expect(table.setBlocked(2, true, at: start + .seconds(4)) == nil)
    }

    @Test("are lost when all peers leave too much, by those that took nothing for the longest time")
    func unread() {
        var limits = PlaceTable<Int>.Limits(connections: 10)
        limits.unreadBytes = 100
        var table = PlaceTable<Int>(limits)
        for id in 1...4 { _ = table.enter(id, at: start) }
        #expect(table.setUnread(1, 60, at: start) == [])
        #expect(table.setUnread(2, 40, at: start + .seconds(1)) == [])
        #expect(table.unreadBytes == 100)
        // The first peer takes a part, so the second one has waited longer.
        #expect(table.setUnread(1, 50, at: start + .seconds(2)) == [])
        #expect(table.setUnread(3, 20, at: start + .seconds(3)) == [2])
        #expect(table.unreadBytes == 70)
        #expect(table.setUnread(2, 500, at: start + .seconds(4)) == [], "it has left")
        #expect(table.setUnread(4, 120, at: start + .seconds(5)) == [1, 3, 4])
        #expect(table.unreadBytes == 0)
        _ = table.enter(5, at: start)
        #expect(table.setUnread(5, 90, at: start) == [])
        table.leave(5)
        #expect(table.unreadBytes == 0)
    }

    @Test("go when their time has come, though no connection enters then")
    func relief() {
        var table = table(1)
        #expect(table.enter(1, at: start) == nil)
        #expect(table.nextRelief == nil)
        #expect(table.enter(2, at: start + .seconds(1)) == nil)
        #expect(table.nextRelief?.at == start + .seconds(5))
        #expect(table.relieve(at: start + .milliseconds(4_999)) == nil)
        #expect(table.relieve(at: start + .seconds(5)) == 1)
        #expect(table.nextRelief == nil)
    }

    @Test("are free again when connections end")
    func leaving() {
        var table = table(1)
        _ = table.enter(1, at: start)
        table.leave(1)
        table.leave(1)
        #expect(table.enter(2, at: start + .seconds(60)) == nil)
        #expect(table.count == 1)
    }
}
