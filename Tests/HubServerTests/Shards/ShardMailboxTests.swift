import HubDelivery
import HubModel
@testable import HubServer
@testable import HubTransport
import HubVocabulary
import HubWire
import Testing

@Suite("A shard's mailbox")
struct ShardMailboxTests {
    @Test("that is full loses no revocation, setting or page: they come once there is room")
    func vital() throws {
        let box = try ShardMailbox(capacity: 2)
        let device = DeviceID(high: 1, low: 1)
        for generation in UInt32(1)...5 {
            box.post(.revoked(device, generation: generation), of: Example.hub)
        }
        func taken() -> [UInt32] {
            let mail = box.mailbox.drain()
            box.applied([:], of: [Example.hub])
            return mail.compactMap { mail in
                guard case .hub(_, .revoked(_, let generation)) = mail else { return nil }
                return generation
            }
        }
        #expect(taken() == [1, 2])
        #expect(taken() == [3, 4])
        #expect(taken() == [5])
        #expect(taken().isEmpty)
    }

    @Test("that is full loses no refusal: a session that fell out of the feed waits for it")
    func refusals() throws {
        let box = try ShardMailbox(capacity: 1)
        let waiting = (UInt32(1)...3).map {
            ConnectionAddress(shard: 0, connection: ConnectionID(slot: $0, generation: 1))
        }
        for address in waiting {
            box.post(
                .attachRefused(address, .unavailable, retryAfterMilliseconds: 5_000),
                of: Example.hub
            )
        }
        var told: [ConnectionAddress] = []
        for _ in waiting {
            for case .hub(_, .attachRefused(let address, _, _)) in box.mailbox.drain() {
                told.append(address)
            }
            box.applied([:], of: [Example.hub])
        }
        #expect(told == waiting)
    }

    @Test("that has room again takes nothing vital before what waited for it")
    func vitalInOrder() throws {
        let box = try ShardMailbox(capacity: 2)
        let device = DeviceID(high: 1, low: 1)
        var taken: [UInt32] = []
        func take() {
            for case .hub(_, .revoked(_, let generation)) in box.mailbox.drain() {
                taken.append(generation)
            }
        }
        for generation in UInt32(1)...3 {
            box.post(.revoked(device, generation: generation), of: Example.hub)
        }
        take()
        // The shard has emptied its mailbox and not yet come to say so.
        box.post(.revoked(device, generation: 4), of: Example.hub)
        for _ in 0..<2 {
            box.applied([:], of: [Example.hub])
            take()
        }
        #expect(taken == [1, 2, 3, 4])
    }

    @Test("that put something aside lets no feed item pass it: the item is announced as lost")
    func feedBehindAside() throws {
        let box = try ShardMailbox(capacity: 1)
        let device = DeviceID(high: 1, low: 1)
        for generation in UInt32(1)...2 {
            box.post(.revoked(device, generation: generation), of: Example.hub)
        }
        #expect(box.mailbox.drain().count == 1)
        box.post(.feed(Example.item(1)), of: Example.hub)
        var taken: [String] = []
        for _ in 0..<3 {
            box.applied([:], of: [Example.hub])
            for case .hub(_, let message) in box.mailbox.drain() {
                switch message {
                case .revoked(_, let generation): taken.append("revoked \(generation)")
                case .feedLost(let head, _): taken.append("lost \(head)")
                default: taken.append("other")
                }
            }
        }
        #expect(taken == ["revoked 2", "lost 1"])
    }

    @Test("read mail comes in order, and what was read is let go")
    func unreadMail() {
        typealias Unread = UnreadMail<Int>
        var unread = Unread()
        let count = 3 * Unread.readMax
        unread.append(contentsOf: Array(0..<count))
        for expected in 0..<count {
            let next = unread.next()
            #expect(next == expected)
            #expect(unread.held - (count - 1 - expected) <= max(Unread.readMax, count / 2))
            if expected == count / 2 { #expect(unread.held <= count / 2) }
        }
        #expect(unread.isEmpty && unread.held == 0)
        let none = unread.next()
        #expect(none == nil)
        unread.append(contentsOf: [7])
        let last = unread.next()
        #expect(last == 7)
    }
}
