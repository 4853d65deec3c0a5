import Testing

@testable import HubServer

@Suite("REST connections of one address")
struct AddressConnectionsTests {
    private static func table(_ most: Int, limitsLoopback: Bool = false) -> AddressConnections {
        var limits = RESTLimits()
        limits.connectionsPerAddress = most
        limits.limitsLoopback = limitsLoopback
        return AddressConnections(limits: limits)
    }

    @Test("are as many as the limit, not one more, and again when one has ended")
    func edge() {
        let table = Self.table(2)
        #expect(table.enter("192.0.2.1") && table.enter("192.0.2.1"))
        #expect(!table.enter("192.0.2.1"))
        #expect(table.enter("192.0.2.2"), "another address has its own")
        table.leave("192.0.2.1")
        #expect(table.enter("192.0.2.1"))
        #expect(!table.enter("192.0.2.1"))
        for _ in 0..<2 { table.leave("192.0.2.1") }
        table.leave("192.0.2.2")
        #expect(table.addressCount == 0, "nothing is kept of those who left")
    }

    @Test("count by the network of an IPv6 address, and by an IPv4 address in either form")
    func networks() {
        let table = Self.table(1)
        #expect(table.enter("2001:db8:0:1::1"))
        #expect(!table.enter("2001:db8:0:1:ffff::2"))
        #expect(table.enter("2001:db8:0:2::1"))
        #expect(table.enter("192.0.2.1"))
        #expect(!table.enter("::ffff:192.0.2.1"))
    }

    @Test("do not count on this machine, unless they are to")
    func loopback() {
        for address in ["127.0.0.1", "127.9.9.9", "::1", nil] {
            let free = Self.table(1)
            #expect(free.enter(address) && free.enter(address))
            #expect(free.addressCount == 0)
        }
        let strict = Self.table(1, limitsLoopback: true)
        #expect(strict.enter("127.0.0.1"))
        #expect(!strict.enter("127.0.0.1"))
    }
}
