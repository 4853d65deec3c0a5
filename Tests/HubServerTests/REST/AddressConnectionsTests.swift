import HubTransport
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

    private static func address(_ text: String) throws -> SocketAddress {
        try SocketAddress(numeric: text, port: 1)
    }

    @Test("are as many as the limit, not one more, and again when one has ended")
    func edge() throws {
        let table = Self.table(2)
        let (one, other) = (try Self.address("192.0.2.1"), try Self.address("192.0.2.2"))
        #expect(table.enter(one) && table.enter(one))
        #expect(!table.enter(one))
        #expect(table.enter(other), "another address has its own")
        table.leave(one)
        #expect(table.enter(one))
        #expect(!table.enter(one))
        for _ in 0..<2 { table.leave(one) }
        table.leave(other)
        #expect(table.addressCount == 0, "nothing is kept of those who left")
    }

    @Test("count by the network of an IPv6 address, and by an IPv4 address in either form")
    func networks() throws {
        let table = Self.table(1)
        #expect(table.enter(try Self.address("2001:db8:0:1::1")))
        #expect(!table.enter(try Self.address("2001:db8:0:1:ffff::2")))
        #expect(table.enter(try Self.address("2001:db8:0:2::1")))
        #expect(table.enter(try Self.address("192.0.2.1")))
        #expect(!table.enter(try Self.address("::ffff:192.0.2.1")))
    }

    @Test("do not count on this machine, unless they are to")
    func loopback() throws {
        for text in ["127.0.0.1", "127.9.9.9", "::1"] {
            let address = try Self.address(text)
            let free = Self.table(1)
            #expect(free.enter(address) && free.enter(address))
            #expect(free.addressCount == 0)
        }
        let strict = Self.table(1, limitsLoopback: true)
        #expect(strict.enter(try Self.address("127.0.0.1")))
        #expect(!strict.enter(try Self.address("127.0.0.1")))
    }
}
