import HubDelivery
import HubModel
@testable import HubServer
import HubTransport
import Testing

@Suite("A shard's backlog of the feed")
struct FeedBacklogTests {
    @Test("lets through as many items as a shard may leave unread")
    func bound() {
        var backlog = FeedBacklog()
        var weight = 0
        for number in 1...UInt64(FeedBacklog.itemsMax) {
            let item = Example.item(number)
            weight += item.weight
            #expect(backlog.admit(item) == .post, "item \(number)")
        }
        #expect(backlog.applied(FeedBacklog.itemsMax, weighing: weight) == nil)
        #expect(backlog.admit(Example.item(9_999)) == .post)
    }

    @Test("bounds bytes too")
    func bytes() {
        var backlog = FeedBacklog()
        let large = Example.item(1, bytes: FeedBacklog.bytesMax)
        #expect(backlog.admit(large) == .post)
        #expect(backlog.admit(Example.item(2)) == .leaveOut)
        #expect(backlog.applied(1, weighing: large.weight)?.sequence == 2)
    }

    @Test("announces once what was left out, after everything that went before it")
    func announcedOnce() {
        var backlog = FeedBacklog()
        var posted = 0
        var weight = 0
        for number in 1...UInt64(FeedBacklog.itemsMax + 10) {
            let item = Example.item(number)
            guard backlog.admit(item) == .post else { continue }
            posted += 1
            weight += item.weight
        }
        #expect(posted == FeedBacklog.itemsMax)
        let one = Example.item(1).weight
        #expect(backlog.applied(posted - 1, weighing: weight - one) == nil)
        // Still behind: what comes now is left out although there would be room.
        #expect(backlog.admit(Example.item(5_000)) == .leaveOut)
        #expect(backlog.applied(1, weighing: one) == Example.item(5_000).last)
        #expect(backlog.applied(0, weighing: 0) == nil)
        #expect(backlog.admit(Example.item(5_001)) == .post)
    }

    @Test("an item that the mailbox had no room for is announced by the next one")
    func fullMailbox() {
        var backlog = FeedBacklog()
        let item = Example.item(1)
        let admission = backlog.admit(item)
        backlog.failed(item, admission)
        let second = backlog.admit(Example.item(2))
        #expect(second == .announce(Example.item(2).last))
        backlog.failed(Example.item(2), second)
        #expect(backlog.admit(Example.item(3)) == .announce(Example.item(3).last))
        #expect(backlog.admit(Example.item(4)) == .post)
    }
}

@Suite("A server's limits on its shards")
struct DividedLimitsTests {
    @Test("are divided and rounded up; those of one address or connection are not")
    func divided() {
        var options = ServerOptions(data: "")
        options.devices.transportLimits.connections = 10
        options.devices.transportLimits.handshakes = 9
        options.devices.transportLimits.unauthenticated = 1
        let part = options.devices.transportLimits.divided(among: 3)
        #expect(part.connections == 4)
        #expect(part.handshakes == 3)
        #expect(part.unauthenticated == 1)
        var same = part
        same.connections = 10
        same.handshakes = 9
        #expect(same == options.devices.transportLimits)
    }
}
